import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deadlineIn } from '../../src/core/deadline.js';
import { decideRun } from '../../src/gate/flows/decideRun.js';
import { againMark, drainAgain } from '../../src/gate/flows/drainAgain.js';
import { judgeLiveIdentity } from '../../src/gate/flows/liveIdentity.js';
import { appReading, rayReading, setupReading } from '../../src/gate/flows/readings.js';
import { evidenceLinesPath, evidencePath, runFolder, writeJson } from '../../src/gate/flows/stateFolder.js';
import type { Facts } from '../../src/gate/model/observation.js';
import type { RunPlan } from '../../src/gate/model/plan.js';
import { diff } from '../../src/gate/provider/entry.js';
import { completeSetupJob, rayClusterObject, rayPodObject, webObjects } from '../builders/objects.js';
import { digestA, digestB } from '../builders/pods.js';
import { appReference, runPlan } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';
import { fakeDocker } from '../fakes/docker.js';

// The table in docs/killed-runs.md, row by row: what is on disk and alive after the kill, and what the next `up` makes of it.

const [first, second, third] = ['20260101T000000Z-aaaaaaaa', '20260102T000000Z-bbbbbbbb', '20260103T000000Z-cccccccc'];
const image = { tags: [], labels: {}, sizeBytes: 1, built: true, index: undefined, manifest: undefined };
const app = { ...image, reference: appReference, id: digestA, config: digestA };
const legacy = { ...image, reference: 'django-ray-worker:tree-1', id: digestB, config: digestB };
let stateFolder: string;
let cluster: FakeCluster;
let restorePath: () => void;

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-kill-'));
  cluster = fakeCluster();
  restorePath = await fakeDocker(join(stateFolder, 'bin'), { [app.reference]: app.id, [legacy.reference]: legacy.id });
  for (const object of [rayClusterObject(), rayPodObject('head-a', 'head'), completeSetupJob(), ...webObjects()])
    cluster.put(object);
  for (const name of ['worker-a', 'worker-b']) cluster.put(rayPodObject(name, 'worker'));
});
afterEach(async () => {
  restorePath();
  await rm(stateFolder, { recursive: true, force: true });
});

const plan = (fields: Partial<RunPlan> = {}) => runPlan(stateFolder, fields);
const run = (runId: string) => runFolder(stateFolder, runId);
const decide = () => decideRun(plan(), { layer: 'preflight', deadline: deadlineIn(1), cluster });

/** What a run leaves until it has passed these layers. */
async function passed(runId: string, layers: readonly string[], fingerprint = plan().fingerprint) {
  await run(runId).log('[images] starting');
  await run(runId).writeMark('started', { runId, fingerprint, source: plan().source });
  for (const layer of layers) {
    await run(runId).writeObservation({
      schema: 'raygate.observation/1',
      layer: layer as 'images',
      runId,
      startedAt: '2026-01-01T00:00:00Z',
      seconds: 1,
      facts: {} as Facts['images'],
    });
  }
}
async function proven(runId: string) {
  const view = cluster.watch([]).view();
  const reading = { ray: rayReading(view), app: appReading(view), setup: setupReading(view) };
  const live = judgeLiveIdentity(reading, plan(), app, 'cluster-uid');
  if (live.kind !== 'ready') throw new Error(live.detail);
  await writeJson(evidencePath(stateFolder), {
    schema: 'raygate.evidence/1',
    runId,
    finishedAt: '2026-01-01T00:05:00Z',
    fingerprint: plan().fingerprint,
    source: plan().source,
    identity: live.facts,
    observations: {
      images: { facts: { app, legacy } },
      setup: { facts: { result: { sourceTree: plan().source.tree } } },
    },
  });
}
const untilDrain = ['images', 'drain'];
const untilSetup = [...untilDrain, 'setup'];
const untilRay = [...untilSetup, 'workloads', 'ray'];
const untilRollouts = [...untilRay, 'rollouts'];
const untilSmoke = [...untilRollouts, 'app-convergence', 'api-smoke'];
const all = [...untilSmoke, 'evidence'];

type Next = 'new' | 'continued' | 'still-proven';
const points: readonly [string, () => Promise<unknown>, { kind: Next; runId?: string; why?: string }][] = [
  ['in preflight, before any step', async () => {}, { kind: 'new', why: 'nothing was proven yet' }],
  [
    'in a first step, before it noted what it works for',
    () => run(first).log('[images] starting'),
    { kind: 'new', why: 'nothing was proven yet' },
  ],
  ['while images are built and work drains', () => passed(first, []), { kind: 'continued', runId: first }],
  ['with images built, while work drains', () => passed(first, ['images']), { kind: 'continued', runId: first }],
  ['while Pulumi applies the prerequisites', () => passed(first, untilDrain), { kind: 'continued', runId: first }],
  ['while Pulumi applies workloads, after setup', () => passed(first, untilSetup), { kind: 'continued', runId: first }],
  [
    'between noting the Ray pods to restart and deleting them',
    async () => {
      await passed(first, [...untilSetup, 'workloads']);
      await run(first).writeMark('ray-restart', { clusterUid: 'cluster-uid', retired: [] });
    },
    { kind: 'continued', runId: first },
  ],
  ['while Pulumi rolls the managers, after Ray', () => passed(first, untilRay), { kind: 'continued', runId: first }],
  ['while the application converges', () => passed(first, untilRollouts), { kind: 'continued', runId: first }],
  ['before the evidence', () => passed(first, untilSmoke), { kind: 'continued', runId: first }],
  [
    'between the lines of the evidence and the evidence itself',
    async () => {
      await passed(first, untilSmoke);
      await writeFile(evidenceLinesPath(stateFolder), 'task_result=5\n');
    },
    { kind: 'continued', runId: first },
  ],
  [
    'in the middle of writing the evidence, which leaves only a part beside it',
    async () => {
      await passed(first, untilSmoke);
      await writeFile(`${evidencePath(stateFolder)}.0a1b2c3d4e5f.tmp`, '{"schema":"raygate.ev');
    },
    { kind: 'continued', runId: first },
  ],
  [
    'between the evidence and the step’s own end: Pulumi runs that step once more',
    async () => {
      await passed(first, untilSmoke);
      await proven(first);
    },
    { kind: 'still-proven', runId: first },
  ],
  [
    'while old runs are removed, one of them half gone',
    async () => {
      await mkdir(join(stateFolder, 'runs', '20250101T000000Z-00000000'), { recursive: true });
      await passed(first, all);
      await proven(first);
    },
    { kind: 'still-proven', runId: first },
  ],
  [
    'after what was proven had changed, and the run was void',
    async () => {
      await passed(first, untilRay);
      await run(first).writeMark('void', { reason: 'pod head-a restarted' });
    },
    { kind: 'new', why: 'nothing was proven yet' },
  ],
  [
    'in a later run of the same plan',
    async () => {
      await passed(first, all);
      await proven(first);
      await passed(second, untilDrain);
    },
    { kind: 'continued', runId: second },
  ],
  [
    'in a void later run, with everything alive as it was proven before that',
    async () => {
      await passed(first, all);
      await proven(first);
      await passed(second, untilSetup);
      await run(second).writeMark('void', { reason: 'x' });
    },
    { kind: 'new', why: `run ${second} has begun to change the cluster since, and did not end in proof` },
  ],
  [
    'in a later run of another plan that was about to change the cluster, and back to the plan before',
    async () => {
      await passed(first, all);
      await proven(first);
      await passed(second, untilDrain, 'another');
      await passed(third, ['images'], 'a third');
    },
    { kind: 'new', why: `run ${second} has begun to change the cluster since, and did not end in proof` },
  ],
  [
    'in a later run of another plan that had changed nothing, and back to the plan before',
    async () => {
      await passed(first, all);
      await proven(first);
      await passed(second, ['images'], 'another');
    },
    { kind: 'still-proven', runId: first },
  ],
];

describe('after a kill', () => {
  test.each(points)('%s', async (_, kill, next) => {
    await kill();
    expect(await decide()).toMatchObject(next);
  });

  test('twice at the same point, the run is still the same', async () => {
    await passed(first, untilSetup);
    expect([await decide(), await decide()]).toEqual(Array(2).fill({ kind: 'continued', runId: first }));
  });
});

describe('a drain that is behind a run which goes on', () => {
  const again = async () => drainAgain(plan(), await decide());

  test('looks once more, each time, while Pulumi has something left to apply', async () => {
    await passed(first, untilRay);
    const value = await again();
    expect(value).toMatch(/^\d{4}-/);
    await run(first).writeMark(againMark('drain'), 'earlier');
    expect(await again()).not.toBe('earlier');
  });

  test('stays as it is once everything is applied, and once the run is proven', async () => {
    await passed(first, untilRollouts);
    expect(await again()).toBeUndefined();
    await run(first).writeMark(againMark('drain'), 'earlier');
    expect(await again()).toBe('earlier');
    await passed(first, all);
    await proven(first);
    expect(await again()).toBe('earlier');
  });

  test('is an ordinary one in a new run', async () => {
    expect(await again()).toBeUndefined();
  });
});

describe('a step', () => {
  const inputs = (fields: object) => ({ layer: 'drain', runId: first, plan: plan(), ...fields }) as const;
  const rows: readonly [string, object, object, boolean][] = [
    ['does not run in an up of the same run', {}, {}, false],
    ['does not run for the same value again', { again: 'a' }, { again: 'a' }, false],
    ['runs in another run', {}, { runId: second }, true],
    ['runs once more for a new value', {}, { again: 'a' }, true],
    ['runs once more for another value', { again: 'a' }, { again: 'b' }, true],
  ];
  test.each(rows)('%s', async (_, olds, news, changes) => {
    expect(await diff('drain', inputs(olds), inputs(news))).toEqual({ changes });
  });
});
