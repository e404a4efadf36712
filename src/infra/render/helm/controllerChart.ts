import { controllerName } from '../../../api/names.js';
import type { PlannedObject } from '../../plannedObject.js';
import { controllerVersion } from '../../versions.js';
import type { HelmChart } from './chart.js';
import type { Opening } from './openings.js';

const namespace = `include "${controllerName}.namespace" . | quote`;
const account = `include "${controllerName}.serviceAccountName" . | quote`;
const container = ['spec', 'template', 'spec', 'containers', 0] as const;

const accessKinds = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];

/** How the controller's installation becomes a chart: its defaults are read off the objects, so that they stand in one place. */
export function controllerChart(objects: readonly PlannedObject[]): HelmChart {
  const { replicas, image, pullPolicy, resources } = deploymentOf(objects);
  const [repository = '', tag = ''] = image.split(':');
  return {
    name: controllerName,
    version: controllerVersion,
    description: 'The TauWorkspace API and its controller, which takes workspaces down without losing accepted work',
    values: [
      { path: 'namespaceOverride', default: '', meaning: "System namespace. Empty: the release's own." },
      {
        path: 'namespace.create',
        default: false,
        meaning:
          "Render the system namespace too. Not for the release's own, which Helm makes with --create-namespace.",
      },
      { path: 'image.repository', default: repository, meaning: 'Image without its tag.' },
      { path: 'image.tag', default: tag, meaning: 'Tag of the image.' },
      { path: 'image.digest', default: '', meaning: 'sha256:…, which then counts instead of the tag.' },
      { path: 'image.pullPolicy', default: pullPolicy, meaning: 'Always, IfNotPresent or Never.' },
      { path: 'replicas', default: replicas, meaning: 'Pods: one leads, the others stand by.' },
      { path: 'resources', default: resources, meaning: 'Requests and limits of a pod.' },
      {
        path: 'rbac.create',
        default: true,
        meaning: 'Render the roles and bindings. False: they are made by other means, under the same names.',
      },
      { path: 'serviceAccount.create', default: true, meaning: "Render the controller's account." },
      { path: 'serviceAccount.name', default: '', meaning: `Name of the account. Empty: ${controllerName}.` },
    ],
    helpers,
    notes,
    openingsOf,
    conditionOf,
  };
}

function deploymentOf(objects: readonly PlannedObject[]) {
  const deployment = objects.find(({ manifest }) => manifest['kind'] === 'Deployment');
  if (!deployment)
    throw new Error(`the chart ${controllerName} needs a Deployment: give all objects of the controller`);
  const spec = deployment.manifest['spec'] as {
    replicas: number;
    template: { spec: { containers: readonly { image: string; imagePullPolicy: string; resources: object }[] } };
  };
  const [first] = spec.template.spec.containers;
  if (!first) throw new Error(`${deployment.identity} has no container: the chart takes its defaults from it`);
  return { replicas: spec.replicas, image: first.image, pullPolicy: first.imagePullPolicy, resources: first.resources };
}

function openingsOf({ manifest, scope }: PlannedObject): readonly Opening[] {
  const placed: Opening[] = scope === 'namespaced' ? [{ at: ['metadata', 'namespace'], expression: namespace }] : [];
  switch (manifest['kind']) {
    case 'Namespace':
      return [{ at: ['metadata', 'name'], expression: namespace }];
    case 'ServiceAccount':
      return [...placed, { at: ['metadata', 'name'], expression: account }];
    case 'RoleBinding':
    case 'ClusterRoleBinding':
      return [
        ...placed,
        { at: ['subjects', 0, 'namespace'], expression: namespace },
        { at: ['subjects', 0, 'name'], expression: account },
      ];
    case 'Deployment':
      return [
        ...placed,
        { at: ['spec', 'replicas'], expression: '.Values.replicas' },
        { at: ['spec', 'template', 'spec', 'serviceAccountName'], expression: account },
        { at: [...container, 'image'], expression: `include "${controllerName}.image" . | quote` },
        { at: [...container, 'imagePullPolicy'], expression: '.Values.image.pullPolicy | quote' },
        { at: [...container, 'resources'], object: '.Values.resources' },
      ];
    default:
      return placed;
  }
}

function conditionOf({ manifest }: PlannedObject): string | undefined {
  const kind = String(manifest['kind']);
  if (kind === 'Namespace') return '.Values.namespace.create';
  if (kind === 'ServiceAccount') return '.Values.serviceAccount.create';
  return accessKinds.includes(kind) ? '.Values.rbac.create' : undefined;
}

const helpers = `{{- define "${controllerName}.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride -}}
{{- end -}}

{{- define "${controllerName}.serviceAccountName" -}}
{{- default "${controllerName}" .Values.serviceAccount.name -}}
{{- end -}}

{{- define "${controllerName}.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag }}
{{- end -}}
{{- end -}}
`;

const notes = `The workspace controller runs in namespace {{ include "${controllerName}.namespace" . }}.
Workspaces: kubectl get workspaces.tau.azure.com --namespace {{ include "${controllerName}.namespace" . }}
Helm neither upgrades nor deletes the CustomResourceDefinitions: apply the folder crds/ of a newer chart yourself.
`;
