import { stackNamespace } from '../../names.js';
import type { PlannedObject } from '../../plannedObject.js';
import { placeholderArchiveUri, placeholderReleaseTag, placeholderSourceTree } from '../../releaseTag.js';
import { controllerVersion } from '../../versions.js';
import type { HelmChart } from './chart.js';
import type { Opening } from './openings.js';

const digestAnnotation = ['spec', 'template', 'metadata', 'annotations', 'raygate/config-sha256'] as const;

/**
 * How the overlay becomes a chart: the placeholders of the release are its values. The namespace is fixed, as it is for the gate;
 * Namespace and Secret exist before the rest, so that both are rendered only on request.
 */
export function overlayChart(): HelmChart {
  return {
    name: 'django-ray',
    version: controllerVersion,
    description: 'The django-ray stack as raygate deploys it, without the gate that proves it',
    values: [
      { path: 'namespace.create', default: false, meaning: `Render the Namespace ${stackNamespace} too.` },
      { path: 'secret.create', default: false, meaning: 'Render the Secret too, without values.' },
      { path: 'release.tag', default: placeholderReleaseTag, meaning: 'Tag of the built application image.' },
      { path: 'release.sourceTree', default: placeholderSourceTree, meaning: 'The git tree that it was built from.' },
      { path: 'release.archiveUri', default: placeholderArchiveUri, meaning: 'RuntimeEnv archive of that tree.' },
    ],
    helpers,
    notes: `Deployed without its proof: raygate's gate looks at what it deployed itself.\n`,
    openingsOf,
    conditionOf: ({ phase, manifest }) => {
      if (manifest['kind'] === 'Namespace') return '.Values.namespace.create';
      return phase === 'preserved' ? '.Values.secret.create' : undefined;
    },
  };
}

function openingsOf({ manifest }: PlannedObject): readonly Opening[] {
  const digest = digestAnnotation.reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], manifest);
  return [
    { text: placeholderReleaseTag, expression: '.Values.release.tag' },
    { text: placeholderSourceTree, expression: '.Values.release.sourceTree' },
    { text: placeholderArchiveUri, expression: '.Values.release.archiveUri' },
    // The archive's name is in the ConfigMap: another one must roll the pods that read it at their start.
    ...(typeof digest === 'string' && carriesArchive(manifest)
      ? [{ at: digestAnnotation, expression: `include "django-ray.configDigest" (list . "${digest}") | quote` }]
      : []),
  ];
}

/** Prometheus and Grafana have digests of configurations of their own. */
function carriesArchive(manifest: PlannedObject['manifest']): boolean {
  return JSON.stringify(manifest).includes('"django-ray-config"');
}

const helpers = `{{- define "django-ray.configDigest" -}}
{{- $root := index . 0 -}}
{{- $rendered := index . 1 -}}
{{- if eq $root.Values.release.archiveUri "${placeholderArchiveUri}" -}}
{{ $rendered }}
{{- else -}}
{{ printf "%s %s" $rendered $root.Values.release.archiveUri | sha256sum | trunc 16 }}
{{- end -}}
{{- end -}}
`;
