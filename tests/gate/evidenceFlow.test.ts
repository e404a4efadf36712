import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyCheckout } from '../../src/gate/flows/checkoutFindings.js';
import { runEvidence } from '../../src/gate/flows/evidence.js';
import { runFinalIdentity } from '../../src/gate/flows/finalIdentity.js';
import { evidenceFiles } from '../../src/gate/report/evidenceFiles.js';
import { verifyFolder } from '../../src/gate/report/verify.js';
import { archiveSha256 } from '../../src/host/git.js';
import { createPrivateFolder } from '../../src/host/privateFolder.js';
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
  made = await provenRun(folder, { docker: { host: `unix:///${token}` } }, `waiting for ${token}`);
  await made.observe('final-identity', await runFinalIdentity(made.context('final-identity')));
}, 60_000);
afterEach(async () => {
  made.restorePath();
  await rm(folder, { recursive: true, force: true });
});

/** What a state folder without evidence holds. */
const nothing = ['kubeconfig.json', 'runs'];
const names: readonly string[] = Object.values(evidenceFiles);
const state = (name: string) => readFile(join(folder, 'state', name), 'utf8');

describe('the evidence', () => {
  test('is written, with its lines, when nothing has changed since it was seen', async () => {
    const { evidenceFile, linesFile } = await runEvidence(context());
    const lines = (await readFile(linesFile, 'utf8')).trim().split('\n');
    expect(lines).toContain('task_result=5');
    expect(lines).toContain('ray_cluster_uid=cluster-uid');
    expect(lines).toContain('probe_host=django-ray.localhost');
    expect(lines).toContain('prometheus_ray_workers=2');
    expect(lines).toContain('prometheus_removed_worker_pool=absent');
    expect(lines).toContain('generic_django_ray=absent');
    expect(lines).toContain('deployment_django_ray_worker_ready=not-observed');
    expect(lines.every((line) => line.length <= 72)).toBe(true);
    expect(JSON.parse(await readFile(evidenceFile, 'utf8'))).toMatchObject({
      schema: 'raygate.evidence/3',
      runId: 'run-1',
      lines,
      observations: { 'final-identity': { facts: { compared: expect.arrayContaining(['preflight', 'ray']) } } },
    });
  });

  test('holds no secret, whatever a layer saw', async () => {
    await runEvidence(context());
    for (const name of names) expect(await state(`evidence/${name}`)).not.toContain(token);
    expect(await state('evidence/evidence.txt')).toContain('[REDACTED]');
    expect(await state('evidence/evidence.html')).toContain('waiting for [REDACTED]');
  });

  test('is what anyone can verify, and takes the place of what a failed run reported', async () => {
    await mkdir(join(folder, 'state', 'failure'));
    await context().run.writeMark('preflight', {
      startedAt: '2026-01-01T00:00:00Z',
      endedAt: '2026-01-01T00:00:01Z',
      seconds: 1,
      waits: [],
    });
    await runEvidence(context());
    const files = await Promise.all(
      names.map(async (name) => [name, Buffer.from(await state(`evidence/${name}`))] as const),
    );
    expect(verifyFolder(new Map(files))).toMatchObject({ findings: [], document: { preflight: { seconds: 1 } } });
    expect((await readdir(join(folder, 'state'))).sort()).toEqual(['evidence', 'kubeconfig.json', 'runs']);
    expect((await readdir(join(folder, 'state', 'evidence'))).sort()).toEqual([...names].sort());
  });

  test('speaks of the source by commit, tree and the SHA-256 of its archive', async () => {
    await runEvidence(context());
    const document = JSON.parse(await state('evidence/evidence.json'));
    const { commit, tree } = context().plan.source;
    expect(document.plan.source).toEqual({ commit, tree, archiveSha256: await archiveSha256(context().plan.source) });
    expect(await verifyCheckout(document, join(folder, 'repository'))).toMatchObject({ findings: [] });
  });

  test('is not written while the run has left something private, and the run goes on from there', async () => {
    const left = await createPrivateFolder();
    await expect(runEvidence(context())).rejects.toMatchObject({ code: 'evidence.not-tidied', retryable: true });
    expect([await context().run.readMark('void'), await readdir(join(folder, 'state'))]).toEqual([undefined, nothing]);
    await left.remove();
    await runEvidence(context());
    expect(await readdir(join(folder, 'state'))).toContain('evidence');
  });

  test('is not written of observations that contradict each other', async () => {
    const seen = await context().run.readObservation('ray');
    if (seen === undefined) throw new Error('no observation');
    await context().run.writeObservation({ ...seen, facts: { ...seen.facts, podsSha256: '0'.repeat(64) } });
    await expect(runEvidence(context())).rejects.toMatchObject({ layer: 'evidence', code: 'evidence.ray-pods' });
    expect(await readdir(join(folder, 'state'))).toEqual(nothing);
    expect(await context().run.readMark('void')).toBeDefined();
  });

  test('of an earlier run stays when a later run makes none', async () => {
    await runEvidence(context());
    const before = await state('evidence/evidence.json');
    made.cluster.drop({ apiVersion: 'v1', kind: 'Pod', name: 'worker-b', namespace: 'django-ray' });
    await expect(runEvidence(context(0.2))).rejects.toBeDefined();
    expect(await state('evidence/evidence.json')).toBe(before);
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
