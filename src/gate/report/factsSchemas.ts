import { z } from 'zod';
import type { Facts } from '../model/observation.js';
import type { ObservedLayer } from './evidenceSources.js';

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
export const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const uid = z.string().min(1);
const count = z.int().min(0);

const container = z.strictObject({ name: z.string(), reference: z.string(), image: z.string(), imageDigest: digest });

const podShape = {
  name: z.string(),
  uid,
  owner: z.string(),
  initContainers: z.array(container),
  containers: z.array(container),
  restarts: count,
};
const pod = z.strictObject(podShape);
const rayPod = z.strictObject({ ...podShape, role: z.string().regex(/^(head|worker:.+)$/), ip: z.string() });

const image = z.strictObject({
  reference: z.string(),
  id: digest,
  tags: z.array(z.string()),
  repoDigests: z.array(z.string()),
  labels: z.record(z.string(), z.string()),
  configLabels: z.record(z.string(), z.string()),
  sizeBytes: count,
  index: digest.optional(),
  manifest: digest.optional(),
  config: digest,
  built: z.boolean(),
});

const deployment = z.strictObject({
  name: z.string(),
  uid,
  generation: count,
  readyReplicas: count,
  replicaSet: z.strictObject({ name: z.string(), uid }),
  pods: z.array(pod),
});

const rayShape = { clusterUid: uid, pods: z.array(rayPod), heads: count, workers: count };
const rayConverged = z.strictObject(rayShape);

const resolvedImage = z.strictObject({
  reference: z.string().min(1),
  origin: z.enum(['release', 'third-party']),
  local: z
    .strictObject({
      id: digest,
      index: digest.optional(),
      manifest: digest.optional(),
      config: digest,
      repoDigests: z.array(z.string()),
    })
    .optional(),
  runs: z
    .array(
      z.strictObject({
        digest,
        is: z.enum(['id', 'index', 'manifest', 'config', 'repository-digest', 'not-in-local-store']),
      }),
    )
    .min(1),
  containers: z.array(z.string()).min(1),
});

const archive = z.strictObject({
  uri: z.string(),
  path: z.string().min(1),
  bytes: count,
  sha256,
  members: count,
});

/** Of a node that passed: it knows `django_ray` from the archive alone. */
const nodeReport = z.strictObject({
  bareDjangoRay: z.undefined().optional(),
  bytes: count,
  sha256,
  members: count,
  hasRequiredMember: z.literal(true),
  expandedDjangoRay: z.string().regex(/^src\/django_ray\//),
  error: z.string(),
});

const probe = <Authorization extends string, Status extends number>(
  authorization: Authorization,
  status: readonly Status[],
) =>
  z.strictObject({
    via: z.enum(['node-port', 'service']),
    request: z.string(),
    host: z.string(),
    authorization: z.literal(authorization),
    status: z.literal(status),
  });

/** Of a proven target. */
const target = z.strictObject({
  job: z.string().min(1),
  instance: z.string().min(1),
  health: z.literal('up'),
  lastError: z.string(),
  lastScrapeMs: z.number(),
  pod: z.string(),
  podUid: z.string(),
});

export const provenIdentity = z.strictObject({
  ray: rayConverged,
  deployments: z.array(deployment),
  supporting: z.array(deployment),
  setup: z.strictObject({ jobUid: uid, pod }),
});

const answered = <Status extends number>(status: Status) =>
  z.array(z.strictObject({ request: z.string(), status: z.literal(status) })).min(1);

/** The facts of each layer as the evidence file holds them. A layer that is added to `Facts` does not compile without its row here. */
export const factsSchemas = {
  images: z.strictObject({ app: image, legacy: image, loadedInto: z.string().optional() }),
  drain: z.strictObject({
    mode: z.enum(['wait', 'skip']),
    empty: z.array(z.string()),
    notPresent: z.array(z.string()),
  }),
  setup: z.strictObject({
    jobUid: uid,
    pod,
    result: z.strictObject({
      archive,
      sourceTree: z.string(),
    }),
  }),
  workloads: z.strictObject({ rayClusterUid: uid, webDeploymentUid: uid }),
  ray: z.strictObject({
    restart: z.enum(['performed', 'skipped-by-explicit-trigger-choice']),
    retiredUids: z.array(uid),
    ...rayShape,
    podsSha256: sha256,
  }),
  rollouts: z.strictObject({
    deployments: z.array(z.strictObject({ name: z.string(), uid, generation: count })),
  }),
  'app-convergence': z.strictObject({ deployments: z.array(deployment) }),
  'image-identity': z.strictObject({
    images: z.array(resolvedImage).min(1),
    sharedStore: z.boolean(),
    labels: z.record(z.string(), z.string()),
    runtimes: z.array(z.string()),
    supporting: z.array(deployment),
    setupPod: pod,
  }),
  'runtime-env': z.strictObject({
    archive,
    bareDjangoRay: z.literal('absent'),
    nodes: z.array(z.strictObject({ pod: z.string(), uid, report: nodeReport })).min(1),
  }),
  probes: z.strictObject({
    path: z.string(),
    host: z.string(),
    pods: z.array(pod),
    restarts: count,
    requests: z.array(z.union([probe('none', [200, 400, 401]), probe('wrong', [401]), probe('token', [200])])).min(1),
  }),
  'api-smoke': z.strictObject({
    unauthenticated: answered(401),
    authenticated: answered(200),
    tasks: z
      .array(
        z.strictObject({
          id: z.uuid(),
          queue: z.string(),
          state: z.literal('SUCCEEDED'),
          result: z.number(),
          worker: z.string(),
          rayAddress: z.string(),
          workingDir: z.string(),
          attempt: count,
          pod: z.string().min(1),
        }),
      )
      .min(1),
  }),
  prometheus: z.strictObject({
    version: z.string().min(1),
    sinceMs: z.number(),
    counts: z.record(z.string(), count),
    removedPool: z.literal('absent'),
    targets: z.array(target).min(1),
  }),
  'final-identity': z.strictObject({
    identity: provenIdentity,
    pins: z.array(z.strictObject({ subject: z.string(), fields: z.record(z.string(), z.string()) })).min(1),
    compared: z.array(z.string()).min(1),
  }),
} satisfies { readonly [L in ObservedLayer]: z.ZodType<AsJson<Facts[L]>> };

/** What `T` is after it was written as JSON and read again: what may be undefined may be left out. */
type AsJson<T> = T extends readonly (infer Element)[]
  ? readonly AsJson<Element>[]
  : T extends object
    ? { readonly [K in keyof T as undefined extends T[K] ? never : K]: AsJson<T[K]> } & {
        readonly [K in keyof T as undefined extends T[K] ? K : never]?: AsJson<Exclude<T[K], undefined>> | undefined;
      }
    : T;

type Lacking = {
  [L in ObservedLayer]: Exclude<keyof Facts[L], keyof z.output<(typeof factsSchemas)[L]>>;
}[ObservedLayer];
type Assert<T extends true> = T;
/** Does not compile when a schema lacks a member of its layer's facts. */
export type FactsAreWhole = Assert<Lacking extends never ? true : false>;
