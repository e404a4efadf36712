import { mkdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../cluster/objects.js';
import { run } from '../../host/process.js';
import { writeWhole } from '../../host/wholeFile.js';
import { moduleFolder } from '../toolchain/goModule.js';
import { deploymentRef, type Operator } from './operator.js';

interface Upstream {
  readonly name: string;
  /** Folder under lab/toolchain whose go.mod pins it, and its module path and version as they stand there. */
  readonly toolchain: string;
  readonly module: string;
  readonly version: string;
  readonly namespace: string;
  readonly deployment: string;
  readonly container: string;
  /** Whether upstream's base leaves the namespace to whoever installs it. */
  readonly chooseNamespace: boolean;
  /** Added to the container's own: one replica needs no election, whose lease would cost its time after every hard stop. */
  readonly extraArguments: readonly string[];
  /** Upstream's Deployment is kept but for what a small node needs. */
  readonly requests: Readonly<Record<string, string>>;
}

export const kuberay: Upstream = {
  name: 'kuberay',
  toolchain: 'kuberay',
  module: 'github.com/ray-project/kuberay/ray-operator',
  version: '1.6.2',
  namespace: 'kuberay-system',
  deployment: 'kuberay-operator',
  container: 'kuberay-operator',
  chooseNamespace: true,
  extraArguments: ['--enable-leader-election=false'],
  requests: { cpu: '50m', memory: '64Mi' },
};

export const kueue: Upstream = {
  name: 'kueue',
  toolchain: 'kubernetes',
  module: 'sigs.k8s.io/kueue',
  version: '0.17.0',
  namespace: 'kueue-system',
  deployment: 'kueue-controller-manager',
  container: 'manager',
  chooseNamespace: false,
  extraArguments: [],
  requests: { cpu: '50m', memory: '128Mi' },
};

/**
 * An operator from the Kustomize base in its own Go module, rendered by kubectl once a version and kept in the cache. The
 * CRDs, RBAC and webhooks are upstream's; its Deployment gets the local image and quick probes.
 */
export async function upstreamOperator(
  upstream: Upstream,
  options: { readonly cacheFolder: string; readonly kubectl: string; readonly image: string },
): Promise<Operator> {
  const rendered = join(options.cacheFolder, 'manifests', `${upstream.name}-${upstream.version}.yaml`);
  const text = await readFile(rendered, 'utf8').catch(() => render(upstream, options.kubectl, rendered));
  const objects = parseAllDocuments(text)
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object): object is KubeObject => object !== null);
  const needsNamespace = !objects.some((object) => object.kind === 'Namespace');
  return {
    name: upstream.name,
    deployment: deploymentRef(upstream.namespace, upstream.deployment),
    objects: [
      ...(needsNamespace ? [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: upstream.namespace } }] : []),
      ...objects.map((object) => (object.kind === 'Deployment' ? adapt(object, upstream, options.image) : object)),
    ],
  };
}

async function render(upstream: Upstream, kubectl: string, target: string): Promise<string> {
  const folder = join(target, '..');
  await mkdir(folder, { recursive: true });
  const base = join(await moduleFolder(upstream.toolchain, upstream.module), 'config', 'default');
  const overlay = join(folder, upstream.name);
  await mkdir(overlay, { recursive: true });
  await writeWhole(
    join(overlay, 'kustomization.yaml'),
    JSON.stringify({
      resources: [relative(overlay, base)],
      ...(upstream.chooseNamespace ? { namespace: upstream.namespace } : {}),
    }),
  );
  const { stdout } = await run({
    file: kubectl,
    argv: ['kustomize', overlay],
    timeoutSeconds: 60,
    outputLimitBytes: 64 * 1024 * 1024,
  });
  await writeWhole(target, stdout);
  return stdout;
}

/** Upstream's probes start after 10 s and its CPU limit (KubeRay: 100m) throttles the start: on the lab's node neither serves anybody. */
function adapt(object: KubeObject, upstream: Upstream, image: string): KubeObject {
  const copy = structuredClone(object) as unknown as {
    spec: {
      template: {
        spec: {
          containers: {
            name: string;
            image: string;
            imagePullPolicy: string;
            args?: string[];
            resources: unknown;
            readinessProbe?: Record<string, unknown>;
          }[];
        };
      };
    };
  };
  for (const container of copy.spec.template.spec.containers) {
    if (container.name !== upstream.container) continue;
    container.image = image;
    container.imagePullPolicy = 'IfNotPresent';
    container.args = [...(container.args ?? []), ...upstream.extraArguments];
    container.resources = { requests: upstream.requests, limits: { memory: '512Mi' } };
    if (container.readinessProbe) {
      container.readinessProbe = {
        ...container.readinessProbe,
        initialDelaySeconds: 0,
        periodSeconds: 1,
        failureThreshold: 30,
      };
    }
  }
  return copy as unknown as KubeObject;
}
