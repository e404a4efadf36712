import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runEvidence } from '../../src/gate/flows/evidence.js';
import { runFinalIdentity } from '../../src/gate/flows/finalIdentity.js';
import { rayPodObject } from '../builders/objects.js';
import { type ProvenRun, provenRun } from '../builders/provenRun.js';
import { keptKubeconfig } from '../builders/step.js';

const token = 'T0KEN-that-must-never-be-written-0123456789';
let folder: string;
let made: ProvenRun;
const context = (seconds?: number) => {
  const step = made.context('evidence', seconds);
  step.redactor.register(token);
  return step;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-evidence-'));
  made = await provenRun(folder, { docker: { host: `unix:///${token}` } });
  await made.observe('final-identity', await runFinalIdentity(made.context('final-identity')));
}, 30_000);
afterEach(async () => {
  made.restorePath();
  await rm(folder, { recursive: true, force: true });
});

const state = (name: string) => readFile(join(folder, 'state', name), 'utf8');

describe('the evidence', { timeout: 30_000 }, () => {
  test('is written, with its lines, when nothing has changed since it was seen', async () => {
    const { evidenceFile, linesFile } = await runEvidence(context());
    const lines = (await readFile(linesFile, 'utf8')).trim().split('\n');
    expect(lines).toContain('task_result=5');
    expect(lines).toContain('ray_cluster_uid=cluster-uid');
    expect(lines.filter((line) => line.startsWith('preserved_'))).toEqual([
      'preserved_postgresql=true',
      'preserved_pvcs=true',
      'preserved_unrelated_namespaces=true',
      'preserved_unrelated_docker_data=true',
    ]);
    expect(lines).toContain('deployment_django_ray_worker_ready=not-observed');
    expect(lines.every((line) => line.length <= 72)).toBe(true);
    expect(JSON.parse(await readFile(evidenceFile, 'utf8'))).toMatchObject({
      schema: 'raygate.evidence/2',
      runId: 'run-1',
      lines,
      basis: { preserved_pvcs: ['drain.facts.before.claims', 'final-identity.facts.after.claims'] },
      observations: { 'final-identity': { facts: { compared: expect.arrayContaining(['preflight', 'ray']) } } },
    });
  });

  test('holds no secret, whatever a layer saw', async () => {
    await runEvidence(context());
    expect((await state('evidence.json')) + (await state('evidence.txt'))).not.toContain(token);
    expect(await state('evidence.txt')).toContain('[REDACTED]');
  });

  test('is put off, and nothing is void, when a pod is not Ready in time', async () => {
    const unready = rayPodObject('head-a', 'head');
    made.cluster.put({ ...unready, status: { ...(unready['status'] as object), conditions: [] } });
    await expect(runEvidence(context(0.2))).rejects.toMatchObject({ retryable: true });
    expect(await context().run.readMark('void')).toBeUndefined();
  });

  test.each([
    [
      'something has changed since final-identity',
      async () => {
        made.cluster.drop({ apiVersion: 'v1', kind: 'Pod', name: 'worker-b', namespace: 'django-ray' });
        made.cluster.put(rayPodObject('worker-c', 'worker'));
      },
      'final-identity.changed',
    ],
    [
      'a layer of the run saw nothing',
      () => rm(join(folder, 'state', 'runs', 'run-1', 'api-smoke.json')),
      'evidence.no-observation',
    ],
    [
      'final-identity is of another time than what lives',
      async () => {
        const seen = await context().run.readObservation('final-identity');
        const facts = JSON.parse(JSON.stringify(seen?.facts).replaceAll('head-a-uid', 'other-uid'));
        await made.observe('final-identity', facts);
      },
      'final-identity.changed',
    ],
  ])('is refused when %s, and the run is void', async (_, change, code) => {
    await change();
    await expect(runEvidence(context())).rejects.toMatchObject({ code });
    expect(await context().run.readMark('void')).toBeDefined();
    expect((await readdir(join(folder, 'state'))).filter((name) => name.startsWith('evidence'))).toEqual([]);
  });

  test('is refused when the kubeconfig was swapped', async () => {
    const { path } = await keptKubeconfig(join(folder, 'state'));
    await writeFile(path, '{}');
    await expect(runEvidence(context())).rejects.toMatchObject({ code: 'final-identity.changed' });
  });
});
