import { join } from 'node:path';
import { addresses, apiServerUrl, ports } from '../addresses.js';
import { materialPath } from '../pki/material.js';
import { auditPolicy } from './auditPolicy.js';
import { type Component, daemonEnvironment, type LabContext } from './component.js';
import { httpHealth } from './probe.js';

export function apiserver(lab: LabContext): Component {
  const { paths } = lab;
  const pki = (name: Parameters<typeof materialPath>[1]) => materialPath(paths.pkiFolder, name);
  const admin = pki('admin');
  const policy = join(paths.configFolder, 'audit-policy.json');
  return {
    name: 'kube-apiserver',
    after: ['etcd'],
    startLimitSeconds: 120,
    daemon: {
      name: 'kube-apiserver',
      file: lab.binary('kube-apiserver'),
      argv: [
        // Pods reach the server on the advertised address, the kubeconfig on loopback; the lab's INPUT chain drops the rest.
        '--bind-address=0.0.0.0',
        `--advertise-address=${addresses.nodeIp}`,
        `--secure-port=${ports.apiserver}`,
        `--service-cluster-ip-range=${addresses.serviceCidr}`,
        '--service-node-port-range=30000-32767',
        '--allow-privileged=true',
        '--anonymous-auth=false',
        '--authorization-mode=Node,RBAC',
        '--enable-admission-plugins=NodeRestriction',
        '--kubelet-preferred-address-types=InternalIP',
        `--client-ca-file=${pki('ca').crt}`,
        `--tls-cert-file=${pki('apiserver').crt}`,
        `--tls-private-key-file=${pki('apiserver').key}`,
        `--kubelet-client-certificate=${pki('apiserver-kubelet-client').crt}`,
        `--kubelet-client-key=${pki('apiserver-kubelet-client').key}`,
        `--kubelet-certificate-authority=${pki('ca').crt}`,
        `--etcd-servers=https://127.0.0.1:${ports.etcdClient}`,
        `--etcd-cafile=${pki('etcd-ca').crt}`,
        `--etcd-certfile=${pki('etcd-client').crt}`,
        `--etcd-keyfile=${pki('etcd-client').key}`,
        `--service-account-issuer=https://kubernetes.default.svc.${addresses.clusterDomain}`,
        `--service-account-key-file=${join(paths.pkiFolder, 'service-account.pub')}`,
        `--service-account-signing-key-file=${join(paths.pkiFolder, 'service-account.key')}`,
        // Without these an aggregated API (Kueue's visibility) stays unavailable, and then no namespace can end terminating.
        `--requestheader-client-ca-file=${pki('front-proxy-ca').crt}`,
        '--requestheader-allowed-names=front-proxy-client',
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        `--proxy-client-cert-file=${pki('front-proxy-client').crt}`,
        `--proxy-client-key-file=${pki('front-proxy-client').key}`,
        '--enable-aggregator-routing=true',
        `--audit-policy-file=${policy}`,
        `--audit-log-path=${paths.auditLog}`,
        '--audit-log-maxsize=200',
        '--audit-log-maxbackup=5',
        '--profiling=false',
      ],
      environment: daemonEnvironment({ RAYGATE_MATERIAL: lab.materialVersion }),
      files: [{ path: policy, content: JSON.stringify(auditPolicy, undefined, 2) }],
    },
    probe: () =>
      httpHealth({
        url: `${apiServerUrl}/readyz?verbose`,
        identity: { ca: pki('ca').crt, crt: admin.crt, key: admin.key },
      }),
  };
}
