import { join } from 'node:path';
import { addresses, ports } from '../addresses.js';
import { materialPath } from '../pki/material.js';
import { type Component, daemonEnvironment, type LabContext } from './component.js';
import { cgroupParent } from './containerd.js';
import { httpHealth } from './probe.js';

export function kubelet(lab: LabContext, resolvConf: string): Component {
  const { paths } = lab;
  const config = join(paths.configFolder, 'kubelet.json');
  const identity = materialPath(paths.pkiFolder, 'kubelet');
  return {
    name: 'kubelet',
    after: ['containerd', 'kube-apiserver'],
    startLimitSeconds: 60,
    daemon: {
      name: 'kubelet',
      file: lab.binary('kubelet'),
      argv: [
        `--config=${config}`,
        `--kubeconfig=${join(paths.configFolder, 'kubelet.kubeconfig')}`,
        `--hostname-override=${addresses.nodeName}`,
        `--node-ip=${addresses.nodeIp}`,
        `--root-dir=${paths.kubeletFolder}`,
      ],
      environment: daemonEnvironment({ RAYGATE_MATERIAL: lab.materialVersion }),
      files: [
        {
          path: config,
          content: JSON.stringify({
            apiVersion: 'kubelet.config.k8s.io/v1beta1',
            kind: 'KubeletConfiguration',
            address: addresses.nodeIp,
            port: ports.kubelet,
            healthzBindAddress: '127.0.0.1',
            healthzPort: ports.kubeletHealth,
            authentication: {
              anonymous: { enabled: false },
              webhook: { enabled: true },
              x509: { clientCAFile: materialPath(paths.pkiFolder, 'ca').crt },
            },
            authorization: { mode: 'Webhook' },
            tlsCertFile: identity.crt,
            tlsPrivateKeyFile: identity.key,
            containerRuntimeEndpoint: `unix://${paths.containerdSocket}`,
            cgroupDriver: 'cgroupfs',
            cgroupRoot: cgroupParent,
            failSwapOn: false,
            failCgroupV1: false,
            clusterDNS: [addresses.dnsServiceIp],
            clusterDomain: addresses.clusterDomain,
            resolvConf,
            serializeImagePulls: false,
            podLogsDir: join(paths.kubeletFolder, 'pod-logs'),
            volumePluginDir: join(paths.kubeletFolder, 'volume-plugins'),
            syncFrequency: '10s',
            nodeStatusUpdateFrequency: '5s',
            // The machine's disk is shared with builds: eviction would take pods down for what is not theirs.
            evictionHard: { 'memory.available': '200Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
            imageGCHighThresholdPercent: 100,
            shutdownGracePeriod: '0s',
          }),
        },
      ],
    },
    probe: () => httpHealth({ url: `http://127.0.0.1:${ports.kubeletHealth}/healthz` }),
  };
}
