import { ports } from '../addresses.js';
import { materialPath } from '../pki/material.js';
import { type Component, daemonEnvironment, type LabContext } from './component.js';
import { httpHealth } from './probe.js';

/** A one-member etcd on loopback, client certificates required. */
export function etcd(lab: LabContext): Component {
  const { paths } = lab;
  const identity = materialPath(paths.pkiFolder, 'etcd');
  const authority = materialPath(paths.pkiFolder, 'etcd-ca').crt;
  const client = `https://127.0.0.1:${ports.etcdClient}`;
  const peer = `https://127.0.0.1:${ports.etcdPeer}`;
  const metrics = `http://127.0.0.1:${ports.etcdMetrics}`;
  return {
    name: 'etcd',
    after: [],
    startLimitSeconds: 60,
    daemon: {
      name: 'etcd',
      file: lab.binary('etcd'),
      argv: [
        '--name=lab',
        `--data-dir=${paths.etcdFolder}`,
        `--listen-client-urls=${client}`,
        `--advertise-client-urls=${client}`,
        `--listen-peer-urls=${peer}`,
        `--initial-advertise-peer-urls=${peer}`,
        `--initial-cluster=lab=${peer}`,
        `--listen-metrics-urls=${metrics}`,
        `--cert-file=${identity.crt}`,
        `--key-file=${identity.key}`,
        `--trusted-ca-file=${authority}`,
        '--client-cert-auth=true',
        `--peer-cert-file=${identity.crt}`,
        `--peer-key-file=${identity.key}`,
        `--peer-trusted-ca-file=${authority}`,
        '--peer-client-cert-auth=true',
        '--quota-backend-bytes=8589934592',
        '--auto-compaction-mode=periodic',
        '--auto-compaction-retention=5m',
        // As kubeadm has it: without it a kind that does not change gets no bookmarks, and a quiet stream looks like a dead one.
        '--watch-progress-notify-interval=5s',
        '--log-level=warn',
      ],
      environment: daemonEnvironment({ RAYGATE_MATERIAL: lab.materialVersion }),
      files: [],
    },
    probe: () => httpHealth({ url: `${metrics}/health` }),
  };
}
