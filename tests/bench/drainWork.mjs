// One measured piece of work of bench:drain, in a process of its own: node drainWork.mjs <what> <objects> <folder>
//   lay     writes that many Workloads, as a paged list of Kueue 0.17 gives them, one page a line
//   parse   decodes the list page by page and keeps nothing
//   decide  decodes it the same way, makes the index and one decision; then changes one Workload after the other and decides again
// The last line of stdout is JSON: seconds of the work itself, without the start of the process.

import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const require = createRequire(import.meta.url);
const dist = (path) => require(join(import.meta.dirname, '../../dist', path));
const [what, count, folder] = [process.argv[2], Number(process.argv[3]), process.argv[4]];
const file = join(folder, 'workloads.ndjson');
const pageSize = 500;
const time = '2026-01-01T00:00:00Z';
const uid = (kind, at) => `${kind}00000-0000-4000-8000-${String(at).padStart(12, '0')}`;

/** One in ten is finished, three are admitted, the others wait; four queues, two of which need the namespace's labels. */
function workload(at) {
  const name = `job-train-${String(at).padStart(6, '0')}-0f1e2`;
  const condition = (type, status, reason) => ({
    type,
    status,
    reason,
    message: `The workload is ${reason} in ClusterQueue, as its admission and the quota of its flavors say`,
    observedGeneration: 1,
    lastTransitionTime: time,
  });
  const finished = at % 10 === 0;
  const admitted = finished || at % 10 < 4;
  const fields = (keys) => Object.fromEntries(keys.map((key) => [`f:${key}`, { '.': {}, 'f:value': {} }]));
  return {
    metadata: {
      name,
      generateName: 'job-train-',
      namespace: 'train',
      uid: uid('aaa', at),
      resourceVersion: String(1_000_000 + at),
      generation: 1,
      creationTimestamp: time,
      labels: { 'kueue.x-k8s.io/job-uid': uid('bbb', at) },
      finalizers: ['kueue.x-k8s.io/resource-in-use'],
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          name: `train-${at}`,
          uid: uid('bbb', at),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: ['kueue', 'kueue-admission', 'kueue-job-controller'].map((manager) => ({
        manager,
        operation: 'Apply',
        apiVersion: 'kueue.x-k8s.io/v1beta2',
        time,
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:spec': fields(['active', 'podSets', 'queueName']),
          'f:status': fields(['conditions', 'admission']),
        },
      })),
    },
    spec: {
      active: true,
      queueName: `queue-${at % 4}`,
      priority: 0,
      podSets: [
        {
          name: 'main',
          count: 1,
          template: {
            metadata: { labels: { app: 'train' } },
            spec: {
              serviceAccountName: at % 2 === 0 ? 'runner' : 'default',
              restartPolicy: 'Never',
              dnsPolicy: 'ClusterFirst',
              schedulerName: 'default-scheduler',
              securityContext: {},
              containers: [
                {
                  name: 'main',
                  image: 'registry.example.com/train:v1',
                  command: ['python', '-m', 'train', '--step', String(at)],
                  env: [{ name: 'STEP', value: String(at) }],
                  resources: { requests: { cpu: '1', memory: '2Gi' } },
                  imagePullPolicy: 'IfNotPresent',
                },
              ],
            },
          },
        },
      ],
    },
    status: {
      conditions: [
        condition('QuotaReserved', admitted ? 'True' : 'False', admitted ? 'QuotaReserved' : 'Pending'),
        ...(admitted ? [condition('Admitted', 'True', 'Admitted')] : []),
        ...(finished ? [condition('Finished', 'True', 'Succeeded')] : []),
      ],
      ...(admitted
        ? {
            admission: {
              clusterQueue: `cluster-${at % 4}`,
              podSetAssignments: [
                {
                  name: 'main',
                  count: 1,
                  flavors: { cpu: 'default', memory: 'default' },
                  resourceUsage: { cpu: '1', memory: '2Gi' },
                },
              ],
            },
          }
        : {}),
    },
  };
}

async function lay() {
  const out = createWriteStream(file);
  for (let at = 0; at < count; at += pageSize) {
    const items = Array.from({ length: Math.min(pageSize, count - at) }, (_, inner) => workload(at + inner));
    const page = {
      apiVersion: 'kueue.x-k8s.io/v1beta2',
      kind: 'WorkloadList',
      metadata: { resourceVersion: '1' },
      items,
    };
    if (!out.write(`${JSON.stringify(page)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}

/** The list, page by page, each decoded when the one before has been dealt with. */
async function eachPage(use) {
  let rest = [];
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 })) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      rest.push(chunk.subarray(from, end));
      use(JSON.parse(Buffer.concat(rest).toString()).items);
      rest = [];
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
  }
}

async function parse() {
  let items = 0;
  await eachPage((page) => {
    items += page.length;
  });
  return { items };
}

function snapshotOf(work, wanted) {
  const { sourceKinds } = wanted.table;
  const found = (value) => ({ kind: 'found', value });
  const selectors = [{}, { matchLabels: { 'tau.azure.com/workspace': 'vision' } }];
  const queues = [0, 1, 2, 3];
  const marks = { labels: { 'tau.azure.com/workspace': 'vision' }, annotations: { 'tau.azure.com/owner-uid': 'w' } };
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    namespace: 'train',
    name: 'runner',
    uid: 'sa',
    obsolete: false,
  };
  return {
    workspace: { uid: 'w', generation: 1, deleting: true, clusterWide: false, hadQueues: true },
    evidence: 'live',
    kueue: found(wanted.configuration.defaultKueueConfiguration),
    recorded: new Map(),
    clusterQueues: new Map(
      queues.map((at) => [
        `cluster-${at}`,
        wanted.facts.readClusterQueue({ metadata: { uid: `c${at}` }, spec: { namespaceSelector: selectors[at % 2] } }),
      ]),
    ),
    namespaces: [
      {
        name: 'train',
        uid: 'n',
        resourceVersion: '1',
        ...marks,
        written: marks,
        leaving: true,
        work,
        reads: new Map(sourceKinds.map((row) => [row, found(undefined)])),
        localQueues: new Map(
          queues.map((at) => [
            `queue-${at}`,
            wanted.facts.readLocalQueue({ metadata: { uid: `l${at}` }, spec: { clusterQueue: `cluster-${at}` } }),
          ]),
        ),
        owned: { localQueues: [], accounts: [account], grants: [] },
      },
    ],
    grants: [],
  };
}

async function decide() {
  const wanted = {
    table: dist('drain/sources/table.js'),
    configuration: dist('drain/routes/kueueConfiguration.js'),
    facts: dist('drain/routes/queueFacts.js'),
  };
  const { readWork } = dist('drain/sources/readWork.js');
  const { workload: row } = dist('drain/sources/kueue.js');
  const { indexOf } = dist('drain/index/indexOf.js');
  const { isKept } = dist('drain/index/placement.js');
  const { withWork } = dist('drain/index/changeIndex.js');
  const { decideRelease } = dist('drain/release/decideRelease.js');
  const now = { nowMs: Date.parse(time) };
  const start = performance.now();
  const cpuStart = process.cpuUsage();
  const works = [];
  let items = 0;
  await eachPage((page) => {
    items += page.length;
    for (const item of page) {
      const work = readWork(row, item);
      if (isKept(work)) works.push(work);
    }
  });
  const listed = performance.now();
  let index = indexOf(works);
  const indexed = performance.now();
  const plan = decideRelease(snapshotOf(index, wanted), now);
  const end = performance.now();
  const cpu = process.cpuUsage(cpuStart);
  const unfinished = count - Math.ceil(count / 10);
  if (plan.namespaces[0].leaving.routingLabels.decision.kind !== 'keep') throw new Error('the labels were released');
  if (index.entries.size !== unfinished) throw new Error(`${index.entries.size} in the index, not ${unfinished}`);

  // One change at a time, spread over the whole list: admitted, finished, back again.
  const changes = [];
  for (let at = 0; at < 999; at += 1) {
    const changed = workload((at * 7919) % count);
    if (at % 3 === 1) changed.status.conditions.push({ type: 'Finished', status: 'True', reason: 'Succeeded' });
    const began = performance.now();
    index = withWork(index, readWork(row, changed));
    decideRelease(snapshotOf(index, wanted), now);
    changes.push(performance.now() - began);
  }
  changes.sort((a, b) => a - b);
  return {
    items,
    seconds: (end - start) / 1000,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    indexSeconds: (indexed - listed) / 1000,
    decideMs: end - indexed,
    changeMs: { median: changes[499], p99: changes[989], worst: changes.at(-1) },
  };
}

const start = performance.now();
const cpuBefore = process.cpuUsage();
const result = await { lay, parse, decide }[what]();
const cpu = process.cpuUsage(cpuBefore);
const cpuSeconds = (cpu.user + cpu.system) / 1e6;
process.stdout.write(`${JSON.stringify({ seconds: (performance.now() - start) / 1000, cpuSeconds, ...result })}\n`);
