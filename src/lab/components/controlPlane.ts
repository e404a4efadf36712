import { join } from 'node:path';
import { addresses, ports } from '../addresses.js';
import { materialPath } from '../pki/material.js';
import { type Component, daemonEnvironment, type LabContext } from './component.js';
import { httpHealth } from './probe.js';

export function controllerManager(lab: LabContext): Component {
  const { paths } = lab;
  const kubeconfig = join(paths.configFolder, 'controller-manager.kubeconfig');
  const ca = materialPath(paths.pkiFolder, 'ca');
  return {
    name: 'kube-controller-manager',
    after: ['kube-apiserver'],
    startLimitSeconds: 60,
    daemon: {
      name: 'kube-controller-manager',
      file: lab.binary('kube-controller-manager'),
      argv: [
        '--bind-address=127.0.0.1',
        `--secure-port=${ports.controllerManager}`,
        `--kubeconfig=${kubeconfig}`,
        `--authentication-kubeconfig=${kubeconfig}`,
        `--authorization-kubeconfig=${kubeconfig}`,
        `--client-ca-file=${ca.crt}`,
        `--root-ca-file=${ca.crt}`,
        `--cluster-signing-cert-file=${ca.crt}`,
        `--cluster-signing-key-file=${ca.key}`,
        `--service-account-private-key-file=${join(paths.pkiFolder, 'service-account.key')}`,
        '--use-service-account-credentials=true',
        // One of each: an election would cost its lease's time after every hard stop.
        '--leader-elect=false',
        '--controllers=*,-bootstrapsigner,-tokencleaner',
        '--node-monitor-grace-period=40s',
      ],
      environment: daemonEnvironment({ RAYGATE_MATERIAL: lab.materialVersion }),
      files: [],
    },
    probe: () => httpHealth({ url: `https://127.0.0.1:${ports.controllerManager}/healthz` }),
  };
}

export function scheduler(lab: LabContext): Component {
  const kubeconfig = join(lab.paths.configFolder, 'scheduler.kubeconfig');
  return {
    name: 'kube-scheduler',
    after: ['kube-apiserver'],
    startLimitSeconds: 60,
    daemon: {
      name: 'kube-scheduler',
      file: lab.binary('kube-scheduler'),
      argv: [
        '--bind-address=127.0.0.1',
        `--secure-port=${ports.scheduler}`,
        `--kubeconfig=${kubeconfig}`,
        `--authentication-kubeconfig=${kubeconfig}`,
        `--authorization-kubeconfig=${kubeconfig}`,
        '--leader-elect=false',
      ],
      environment: daemonEnvironment({ RAYGATE_MATERIAL: lab.materialVersion }),
      files: [],
    },
    probe: () => httpHealth({ url: `https://127.0.0.1:${ports.scheduler}/healthz` }),
  };
}

export function kubeProxy(lab: LabContext): Component {
  const config = join(lab.paths.configFolder, 'kube-proxy.json');
  return {
    name: 'kube-proxy',
    after: ['kube-apiserver'],
    startLimitSeconds: 60,
    daemon: {
      name: 'kube-proxy',
      file: lab.binary('kube-proxy'),
      argv: [`--config=${config}`],
      environment: daemonEnvironment({ RAYGATE_MATERIAL: lab.materialVersion }),
      files: [
        {
          path: config,
          content: JSON.stringify({
            apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
            kind: 'KubeProxyConfiguration',
            clientConnection: { kubeconfig: join(lab.paths.configFolder, 'kube-proxy.kubeconfig') },
            hostnameOverride: addresses.nodeName,
            clusterCIDR: addresses.podCidr,
            mode: 'iptables',
            bindAddress: '127.0.0.1',
            healthzBindAddress: `127.0.0.1:${ports.kubeProxyHealth}`,
            metricsBindAddress: `127.0.0.1:${ports.kubeProxyMetrics}`,
            // NodePorts answer on loopback and to pods, not to the machine's network.
            nodePortAddresses: ['127.0.0.0/8', `${addresses.nodeIp}/32`],
            iptables: { localhostNodePorts: true, minSyncPeriod: '0s', syncPeriod: '30s' },
            // These sysctls are not writable on every machine; the defaults do.
            conntrack: { maxPerCore: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
          }),
        },
      ],
    },
    probe: () => httpHealth({ url: `http://127.0.0.1:${ports.kubeProxyHealth}/livez` }),
  };
}
