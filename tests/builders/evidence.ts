import { rayPodsSha256 } from '../../src/gate/flows/ray.js';
import {
  type PodIdentity,
  type ProvenIdentity,
  podsOf,
  type RayConverged,
  type RayPodIdentity,
} from '../../src/gate/model/identities.js';
import type { Facts, LayerTime, Observation, ResolvedImage } from '../../src/gate/model/observation.js';
import type { Pin } from '../../src/gate/model/pin.js';
import { fingerprintOf, type PlanParts } from '../../src/gate/model/planParts.js';
import { type EvidenceDocument, type Observations, sourcesOf } from '../../src/gate/report/evidence.js';
import { evidenceContents } from '../../src/gate/report/evidenceContents.js';
import { evidenceBlock } from '../../src/gate/report/evidenceLines.js';
import type { ObservedLayer, PlanFacts } from '../../src/gate/report/evidenceSources.js';
import { normaliseImage } from '../../src/gate/rules/imageReference.js';
import { pinsOfLayers } from '../../src/gate/rules/layerPins.js';
import type { LocalImage } from '../../src/host/docker.js';

const hex = (digit: string, length = 64) => digit.repeat(length);
export const runId = '20260131T120000Z-1a2b3c4d';
export const sourceTree = '1f2e3d4c5b6a79880716253443526170809faebd';
export const archiveUri = `file:///runtime-env/django-ray-source-${sourceTree.slice(0, 12)}-0a1b2c3d4e5f.zip`;
const tag = `local-gate-tree-${sourceTree.slice(0, 12)}-89abcdef`;
const taskId = '0b7e4f0a-3f0c-4c55-9d1a-6a4d7f1f2b11';
const rayClusterUid = '5e1f7f0a-6d1c-4b5a-9c53-0f3b7c2d1e4f';
const rayImage = 'docker.io/rayproject/ray:2.60.0-py313';

const image = (name: string, digit: string) => ({
  reference: `${name}:${tag}`,
  id: `sha256:${hex(digit)}`,
  tags: [`${name}:${tag}`],
  repoDigests: [],
  labels: { 'org.opencontainers.image.source-tree': sourceTree },
  configLabels: { 'org.opencontainers.image.source-tree': sourceTree },
  sizeBytes: 412_345_678,
  index: `sha256:${hex(digit)}`,
  manifest: `sha256:${hex(digit, 32)}${hex('0', 32)}`,
  config: `sha256:${hex(digit, 32)}${hex('9', 32)}`,
  built: name === 'django-ray',
});
const app = image('django-ray', 'a');
const legacy = image('django-ray-worker', 'b');

const appContainer = (name: string) => ({
  name,
  reference: app.reference,
  image: `docker.io/library/${app.reference}`,
  imageDigest: app.config,
});
const appPod = (name: string, container: string, owner: string): PodIdentity => ({
  name,
  uid: `${name}-uid`,
  owner,
  initContainers: [],
  containers: [appContainer(container)],
  restarts: 0,
});
const rayPod = (name: string, role: string, ip = '10.0.0.9'): RayPodIdentity => ({
  ip,
  name,
  uid: `${name}-uid`,
  owner: `RayCluster ray (${rayClusterUid})`,
  role,
  initContainers:
    role === 'head'
      ? []
      : [{ name: 'wait-gcs-ready', reference: rayImage, image: rayImage, imageDigest: `sha256:${hex('c')}` }],
  containers: [
    {
      name: role === 'head' ? 'ray-head' : 'ray-worker',
      reference: rayImage,
      image: rayImage,
      imageDigest: `sha256:${hex('c')}`,
    },
  ],
  restarts: 0,
});
const deployment = (name: string, replicas: number) => ({
  name,
  uid: `${name}-uid`,
  generation: 2,
  readyReplicas: replicas,
  replicaSet: { name: `${name}-5d9c7b`, uid: `${name}-5d9c7b-uid` },
  pods: Array.from({ length: replicas }, (_, at) =>
    appPod(`${name}-5d9c7b-${at}`, name, `ReplicaSet ${name}-5d9c7b (${name}-5d9c7b-uid)`),
  ),
});

const ray = {
  clusterUid: rayClusterUid,
  pods: [
    rayPod('ray-head-x2k9p', 'head'),
    ...['a', 'b', 'c', 'd'].map((id, at) => rayPod(`ray-worker-${id}`, 'worker:worker-group', `10.0.0.${at + 1}`)),
  ],
  heads: 1,
  workers: 4,
};
const setupJobUid = 'd1f0c6f2-7c39-4b0e-8b0c-2b7a5a6e9f10';
const setup = {
  jobUid: setupJobUid,
  pod: appPod('django-setup-w8s7k', 'django-setup', `Job django-setup (${setupJobUid})`),
};
const postgres = deployment('postgres', 1);
const postgresImage = 'docker.io/library/postgres:17';
const supporting = [
  {
    ...postgres,
    pods: postgres.pods.map((pod) => ({
      ...pod,
      containers: [
        { name: 'postgres', reference: 'postgres:17', image: postgresImage, imageDigest: `sha256:${hex('6')}` },
      ],
    })),
  },
];
const deployments = [
  deployment('django-web', 1),
  deployment('django-ray-worker', 2),
  deployment('django-ray-worker-sync', 1),
  deployment('django-ray-worker-ml', 1),
];

const archive = {
  uri: archiveUri,
  path: archiveUri.slice('file://'.length),
  bytes: 4_293_956,
  sha256: hex('e'),
  members: 2213,
};
const identity: ProvenIdentity = { ray, deployments, supporting, setup };

/** What the containers of `identity` run, each image by its configuration; `release` is the one that was built. */
export function resolvedImages(
  identity: ProvenIdentity,
  release: Pick<LocalImage, 'reference' | 'id' | 'index' | 'manifest' | 'config'>,
): readonly ResolvedImage[] {
  const running = podsOf(identity).flatMap((pod) =>
    [...pod.initContainers, ...pod.containers].map((one) => ({ ...one, where: `${pod.name}/${one.name}` })),
  );
  const referenceOf = (reference: string) => normaliseImage(reference) ?? reference;
  return [...new Set(running.map((one) => referenceOf(one.reference)))].sort().map((reference) => {
    const own = running.filter((one) => referenceOf(one.reference) === reference);
    const config = own[0]?.imageDigest ?? '';
    const { id, index, manifest } =
      reference === referenceOf(release.reference) ? release : { id: config, index: undefined, manifest: undefined };
    return {
      reference,
      origin: reference === referenceOf(release.reference) ? 'release' : 'third-party',
      local: { id, index, manifest, config, repoDigests: [] },
      runs: [{ digest: config, is: 'config' }],
      containers: own.map((one) => one.where).sort(),
    };
  });
}

/** What a Ray node that holds an archive says of it. */
export const nodeReport = ({ bytes, sha256, members }: Facts['runtime-env']['archive']) => ({
  bareDjangoRay: undefined,
  bytes,
  sha256,
  members,
  hasRequiredMember: true,
  expandedDjangoRay: 'src/django_ray/__init__.py',
  error: '',
});

type Probe = Facts['probes']['requests'][number];
const probe = (via: Probe['via'], request: string, authorization: Probe['authorization'], status: number): Probe => ({
  via,
  request,
  host: 'django-ray.localhost',
  authorization,
  status,
});

const consumed = (queue: string, pod: string) => ({
  id:
    queue === 'default'
      ? taskId
      : `0b7e4f0a-3f0c-4c55-9d1a-${Buffer.from(queue).toString('hex').slice(0, 12).padEnd(12, '0')}`,
  queue,
  state: 'SUCCEEDED',
  result: 5,
  worker: `lease-of-${pod}`,
  rayAddress: 'ray://ray-head-svc:10001',
  workingDir: archiveUri,
  attempt: 1,
  pod,
});

/** The targets of a Ray, and web's, each scraped. */
export function scraped(of: RayConverged): Pick<Facts['prometheus'], 'counts' | 'targets'> {
  const well = { health: 'up', lastError: '', lastScrapeMs: 2, pod: '', podUid: '' };
  const workers = of.pods.filter(({ role }) => role !== 'head');
  return {
    counts: { 'django-ray': 1, 'ray-head': 1, 'ray-workers': workers.length },
    targets: [
      { ...well, job: 'django-ray', instance: 'django-web-svc:80' },
      { ...well, job: 'ray-head', instance: 'ray-head-svc:8080' },
      ...workers.map(({ name, uid, ip }) => ({
        ...well,
        job: 'ray-workers',
        instance: `${ip}:8080`,
        pod: name,
        podUid: uid,
      })),
    ],
  };
}

const plan: PlanFacts = {
  namespace: 'django-ray',
  source: { commit: hex('2', 40), tree: sourceTree, archiveSha256: hex('7') },
  kubeconfig: { sha256: hex('0'), context: 'docker-desktop', server: 'https://127.0.0.1:6443' },
  dockerHost: 'unix:///run/raygate/docker.sock',
  release: { tag, buildInputsSha256: hex('3'), archiveUri },
};

const seenBefore: { readonly [L in Exclude<ObservedLayer, 'final-identity'>]: Facts[L] } = {
  images: { app, legacy },
  drain: { mode: 'wait', empty: ['Jobs', 'RayJobs', 'executions'], notPresent: ['Workloads'] },
  setup: {
    ...setup,
    result: {
      archive,
      sourceTree,
    },
  },
  workloads: { rayClusterUid: ray.clusterUid, webDeploymentUid: 'django-web-uid' },
  ray: { restart: 'performed', retiredUids: ['old-head-uid'], ...ray, podsSha256: rayPodsSha256(ray) },
  rollouts: { deployments: deployments.map(({ name, uid, generation }) => ({ name, uid, generation })) },
  'app-convergence': { deployments },
  'image-identity': {
    images: resolvedImages(identity, app),
    sharedStore: true,
    labels: app.configLabels,
    runtimes: ['containerd://2.2.0'],
    supporting,
    setupPod: setup.pod,
  },
  'runtime-env': {
    archive,
    bareDjangoRay: 'absent',
    nodes: ray.pods.map(({ name, uid }) => ({ pod: name, uid, report: nodeReport(archive) })),
  },
  probes: {
    path: '/api/health',
    host: 'django-ray.localhost',
    pods: deployments[0]?.pods ?? [],
    restarts: 0,
    requests: [
      probe('node-port', 'GET /api/health', 'none', 200),
      probe('node-port', 'GET /api/executions/stats', 'wrong', 401),
      probe('node-port', 'GET /api/executions/stats', 'token', 200),
      probe('service', 'GET /api/executions/stats', 'none', 401),
    ],
  },
  prometheus: { version: '2.53.3', sinceMs: 1, removedPool: 'absent', ...scraped(ray) },
  'api-smoke': {
    unauthenticated: [{ request: 'POST /api/enqueue/add/2/3', status: 401 }],
    authenticated: [{ request: 'GET /api/executions/stats', status: 200 }],
    tasks: [
      consumed('default', 'django-ray-worker-5d9c7b-0'),
      consumed('high-priority', 'django-ray-worker-5d9c7b-1'),
      consumed('low-priority', 'django-ray-worker-5d9c7b-0'),
      consumed('sync', 'django-ray-worker-sync-5d9c7b-0'),
      consumed('ml', 'django-ray-worker-ml-5d9c7b-0'),
    ],
  },
};

/** What final-identity found of all that the layers before it pinned: everything as it was. */
function unchanged(plan: PlanFacts, identity: ProvenIdentity): Facts['final-identity'] {
  const pinned = pinsOfLayers(plan, seenBefore);
  const pins = new Map<string, Pin>();
  for (const { subject, fields } of pinned.flatMap((layer) => layer.pins))
    pins.set(subject, { subject, fields: { ...pins.get(subject)?.fields, ...fields } });
  return { identity, pins: [...pins.values()], compared: pinned.map(({ layer }) => layer) };
}

const facts: { readonly [L in ObservedLayer]: Facts[L] } = {
  ...seenBefore,
  'final-identity': unchanged(plan, identity),
};

const began = Date.parse('2026-01-31T12:00:00.000Z');
const at = (seconds: number) => new Date(began + seconds * 1000).toISOString();
export const layerTime = (from: number, to: number, waits: readonly (readonly [number, string])[] = []): LayerTime => ({
  startedAt: at(from),
  endedAt: at(to),
  seconds: Math.round((to - from) * 1000) / 1000,
  waits: waits.map(([seconds, line]) => ({ at: at(seconds), line })),
});

const times: { readonly [L in ObservedLayer]: LayerTime } = {
  images: layerTime(4.2, 48.9, [
    [4.2, 'starting'],
    [5, `building ${app.reference}`],
    [9.1, `building ${app.reference}: [builder 3/6] RUN pip install --require-hashes -r requirements.lock`],
  ]),
  drain: layerTime(4.2, 5.1, [[4.2, 'starting']]),
  setup: layerTime(61.3, 89.75, [
    [61.3, 'starting'],
    [62, 'pod django-setup-w8s7k: container django-setup is running'],
  ]),
  workloads: layerTime(90.2, 90.9, [[90.2, 'starting']]),
  ray: layerTime(91.1, 148.6, [
    [91.1, 'starting'],
    [92, 'deleting ray-head-old'],
    [95.4, 'head has 0 pods instead of 1'],
    [118.2, 'worker:worker-group has 2 pods instead of 4'],
  ]),
  rollouts: layerTime(149, 149.8, [[149, 'starting']]),
  'app-convergence': layerTime(150, 183.3, [
    [150, 'starting'],
    [150.4, 'Deployment django-ray-worker: 1 of 2 pods are Ready'],
  ]),
  'image-identity': layerTime(183.4, 185.3, [[183.5, 'resolving postgres:17']]),
  'runtime-env': layerTime(183.4, 186.1, [[183.4, 'starting']]),
  probes: layerTime(183.4, 184.9, [[183.4, 'starting']]),
  'api-smoke': layerTime(183.5, 186.2, [[184, 'task 0b7e4f0a-3f0c-4c55-9d1a-6a4d7f1f2b11 is QUEUED']]),
  prometheus: layerTime(183.4, 186.2, [[183.4, 'starting']]),
  'final-identity': layerTime(186.2, 186.3, [[186.2, 'starting']]),
};

export function observationOf<L extends ObservedLayer>(layer: L, given: Partial<Observation<L>> = {}): Observation<L> {
  return {
    schema: 'raygate.observation/1',
    layer,
    runId,
    ...times[layer],
    facts: facts[layer],
    ...given,
  } as Observation<L>;
}

const parts: PlanParts = {
  sourceTree,
  releaseTag: tag,
  settings: { profile: 'lab', rayRestart: 'required' },
  cluster: { server: 'https://127.0.0.1:6443', certificateAuthoritySha256: hex('4'), kubeRay: '1.6.2' },
  objects: { 'Deployment/web': hex('5') },
};

/** A proven run, whole; `fields` replace what is given, and the lines follow from that unless they are given too. */
export function evidenceDocument(fields: Partial<EvidenceDocument> = {}): EvidenceDocument {
  const layers = Object.keys(facts) as ObservedLayer[];
  const final = { facts: unchanged(fields.plan ?? plan, fields.identity ?? identity) };
  const observations = Object.fromEntries(
    layers.map((layer) => [layer, observationOf(layer, layer === 'final-identity' ? final : {})]),
  ) as unknown;
  const document = {
    schema: 'raygate.evidence/3' as const,
    runId,
    finishedAt: at(187.4),
    platform: 'lab',
    fingerprint: fingerprintOf(fields.parts ?? parts),
    parts,
    plan,
    preflight: layerTime(0, 3.9),
    observations: observations as Observations,
    evidence: layerTime(186.3, 187.4),
    identity,
    ...fields,
  };
  return { ...document, lines: fields.lines ?? evidenceBlock(sourcesOf(document)) };
}

/** The files of an evidence folder as bytes. */
export function evidenceBytes(document: EvidenceDocument = evidenceDocument()): Map<string, Buffer> {
  return new Map([...evidenceContents(document)].map(([name, content]) => [name, Buffer.from(content, 'utf8')]));
}
