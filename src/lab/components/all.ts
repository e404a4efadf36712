import { apiserver } from './apiserver.js';
import type { Component, LabContext } from './component.js';
import { containerd } from './containerd.js';
import { controllerManager, kubeProxy, scheduler } from './controlPlane.js';
import { dockerd } from './dockerd.js';
import { etcd } from './etcd.js';
import { kubelet } from './kubelet.js';

/** Every process of the lab. `resolvConf` is the file that pods' DNS falls back to. */
export function allComponents(lab: LabContext, resolvConf: string): readonly Component[] {
  return [
    containerd(lab),
    etcd(lab),
    dockerd(lab),
    apiserver(lab),
    controllerManager(lab),
    scheduler(lab),
    kubelet(lab, resolvConf),
    kubeProxy(lab),
  ];
}
