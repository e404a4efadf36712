/**
 * What the API server's audit log holds: every write with its body (tests assert what was written), every read with who and what;
 * bodies of Secrets, ConfigMaps and tokens never; of the node's and control plane's own chatter nothing.
 */
export const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', nonResourceURLs: ['/healthz*', '/readyz*', '/livez*', '/metrics', '/version', '/openapi*'] },
    { level: 'None', userGroups: ['system:nodes'], verbs: ['get', 'list', 'watch'] },
    {
      level: 'None',
      users: ['system:kube-scheduler', 'system:kube-controller-manager', 'system:kube-proxy', 'system:apiserver'],
      verbs: ['get', 'list', 'watch'],
    },
    {
      level: 'None',
      resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }],
      userGroups: ['system:nodes'],
    },
    {
      level: 'Metadata',
      resources: [
        { group: '', resources: ['secrets', 'configmaps', 'serviceaccounts/token'] },
        { group: 'authentication.k8s.io', resources: ['tokenreviews'] },
      ],
    },
    { level: 'Metadata', verbs: ['get', 'list', 'watch'] },
    { level: 'Metadata', resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] },
    { level: 'Request' },
  ],
} as const;
