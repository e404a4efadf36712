import { deploymentRef, type Operator, operatorLabels } from './operator.js';

const namespace = 'local-path-storage';
const name = 'local-path-provisioner';
const group = 'rbac.authorization.k8s.io';
const account = { kind: 'ServiceAccount', name, namespace };

/**
 * Storage for claims of both access modes: with a shared folder instead of node paths the provisioner serves RWX and RWO
 * alike, mode 0777, so that non-root pods can write (local-path-provisioner 0.0.30).
 */
export function localPath(options: { image: string; helperImage: string; folder: string }): Operator {
  const meta = { name, namespace, labels: operatorLabels };
  const script = (command: string) => `#!/bin/sh\nset -eu\n${command}\n`;
  return {
    name: 'local-path',
    deployment: deploymentRef(namespace, name),
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: operatorLabels } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: meta },
      {
        apiVersion: `${group}/v1`,
        kind: 'Role',
        metadata: meta,
        rules: [
          {
            apiGroups: [''],
            resources: ['pods'],
            verbs: ['get', 'list', 'watch', 'create', 'patch', 'update', 'delete'],
          },
        ],
      },
      {
        apiVersion: `${group}/v1`,
        kind: 'RoleBinding',
        metadata: meta,
        roleRef: { apiGroup: group, kind: 'Role', name },
        subjects: [account],
      },
      {
        apiVersion: `${group}/v1`,
        kind: 'ClusterRole',
        metadata: { name, labels: operatorLabels },
        rules: [
          {
            apiGroups: [''],
            resources: ['nodes', 'persistentvolumeclaims', 'configmaps', 'pods', 'pods/log'],
            verbs: ['get', 'list', 'watch'],
          },
          {
            apiGroups: [''],
            resources: ['persistentvolumes'],
            verbs: ['get', 'list', 'watch', 'create', 'patch', 'update', 'delete'],
          },
          { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
          { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: ['get', 'list', 'watch'] },
        ],
      },
      {
        apiVersion: `${group}/v1`,
        kind: 'ClusterRoleBinding',
        metadata: { name, labels: operatorLabels },
        roleRef: { apiGroup: group, kind: 'ClusterRole', name },
        subjects: [account],
      },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: meta,
        data: {
          'config.json': JSON.stringify({ sharedFileSystemPath: options.folder }),
          setup: script('mkdir -m 0777 -p "$VOL_DIR"'),
          teardown: script('rm -rf "$VOL_DIR"'),
          'helperPod.yaml': JSON.stringify({
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { name: 'helper-pod' },
            spec: {
              priorityClassName: 'system-node-critical',
              containers: [{ name: 'helper-pod', image: options.helperImage, imagePullPolicy: 'IfNotPresent' }],
            },
          }),
        },
      },
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: {
          name: 'local-path',
          labels: operatorLabels,
          annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
        },
        provisioner: 'rancher.io/local-path',
        volumeBindingMode: 'Immediate',
        reclaimPolicy: 'Delete',
      },
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: meta,
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: name } },
          template: {
            metadata: { labels: { app: name } },
            spec: {
              serviceAccountName: name,
              containers: [
                {
                  name,
                  image: options.image,
                  imagePullPolicy: 'IfNotPresent',
                  command: [
                    'local-path-provisioner',
                    'start',
                    '--config=/etc/config/config.json',
                    `--configmap-name=${name}`,
                    `--service-account-name=${name}`,
                  ],
                  env: [
                    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
                    { name: 'CONFIG_MOUNT_PATH', value: '/etc/config/' },
                  ],
                  resources: { requests: { cpu: '10m', memory: '32Mi' } },
                  volumeMounts: [{ name: 'config', mountPath: '/etc/config/', readOnly: true }],
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
