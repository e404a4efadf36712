import { addresses } from '../addresses.js';
import { deploymentRef, type Operator, operatorLabels } from './operator.js';

const namespace = 'kube-system';
const name = 'coredns';
const selector = { 'k8s-app': 'kube-dns' };
const account = { kind: 'ServiceAccount', name, namespace };

const corefile = `.:53 {
    errors
    health {
       lameduck 0s
    }
    ready
    kubernetes ${addresses.clusterDomain} in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 5
    }
    forward . /etc/resolv.conf
    cache 5
    reload
}
`;

/** CoreDNS behind Service `kube-dns`: without it KubeRay's init container waits for ever. */
export function coredns(image: string): Operator {
  const meta = { name, namespace, labels: operatorLabels };
  return {
    name,
    deployment: deploymentRef(namespace, name),
    objects: [
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: meta },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'system:coredns', labels: operatorLabels },
        rules: [
          { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
          { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
        ],
      },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'system:coredns', labels: operatorLabels },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:coredns' },
        subjects: [account],
      },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta, data: { Corefile: corefile } },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'kube-dns', namespace, labels: operatorLabels },
        spec: {
          selector,
          clusterIP: addresses.dnsServiceIp,
          ports: [
            { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
            { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
          ],
        },
      },
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: meta,
        spec: {
          replicas: 1,
          selector: { matchLabels: selector },
          template: {
            metadata: { labels: selector },
            spec: {
              serviceAccountName: name,
              priorityClassName: 'system-cluster-critical',
              dnsPolicy: 'Default',
              containers: [
                {
                  name,
                  image,
                  imagePullPolicy: 'IfNotPresent',
                  args: ['-conf', '/etc/coredns/Corefile'],
                  ports: [
                    { containerPort: 53, name: 'dns', protocol: 'UDP' },
                    { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
                  ],
                  readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1, failureThreshold: 10 },
                  livenessProbe: {
                    httpGet: { path: '/health', port: 8080 },
                    initialDelaySeconds: 30,
                    periodSeconds: 10,
                  },
                  resources: { requests: { cpu: '20m', memory: '50Mi' }, limits: { memory: '170Mi' } },
                  securityContext: {
                    allowPrivilegeEscalation: false,
                    readOnlyRootFilesystem: true,
                    capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
                  },
                  volumeMounts: [{ name: 'config', mountPath: '/etc/coredns', readOnly: true }],
                },
              ],
              volumes: [{ name: 'config', configMap: { name } }],
            },
          },
        },
      },
    ],
  };
}
