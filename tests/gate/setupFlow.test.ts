import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ClusterError } from '../../src/cluster/clusterError.js';
import type { KubeObject } from '../../src/cluster/objects.js';
import { removeSetupJob, runAnnotation, runSetup } from '../../src/gate/flows/setup.js';
import { kinds } from '../../src/gate/model/kinds.js';
import { setupMarkers } from '../../src/gate/rules/setupResult.js';
import { podObject } from '../builders/objects.js';
import { digestA } from '../builders/pods.js';
import { appReference, archiveUri, stepContext, tree } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';

const ref = { ...kinds.job, name: 'django-setup', namespace: 'django-ray' };
const message = JSON.stringify({
  schema: 'raygate.setup/v1',
  status: 'complete',
  source_tree: tree,
  archive: { uri: archiveUri, bytes: 10, sha256: 'a'.repeat(64), members: 3 },
});

let stateFolder: string;
let cluster: FakeCluster;

/** Plays the Job controller and the kubelet: the Job's pod runs to its end. */
async function complete(): Promise<void> {
  const outcome = await cluster.get(ref);
  if (outcome.kind !== 'found') return;
  const job = outcome.value;
  cluster.put(
    podObject('setup-pod', {
      uid: `pod-of-${job.metadata.uid}`,
      labels: { 'job-name': 'django-setup' },
      owner: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        name: 'django-setup',
        uid: job.metadata.uid ?? '',
        controller: true,
      },
      spec: { containers: [{ name: 'django-setup', image: appReference }] },
      status: {
        phase: 'Succeeded',
        containerStatuses: [
          {
            name: 'django-setup',
            image: `docker.io/library/${appReference}`,
            imageID: digestA,
            restartCount: 0,
            state: { terminated: { exitCode: 0, reason: 'Completed', message } },
          },
        ],
      },
    }),
  );
  cluster.put({ ...job, status: { conditions: [{ type: 'Complete', status: 'True' }] } });
}

const context = () => stepContext({ layer: 'setup', stateFolder, cluster });

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-state-'));
  cluster = fakeCluster({ 'setup-pod': setupMarkers.join('\n') });
  cluster.react((mutation) => {
    if (mutation.startsWith('create')) void complete();
  });
  const image = {
    reference: appReference,
    id: digestA,
    config: digestA,
    tags: [],
    repoDigests: [],
    labels: {},
    configLabels: {},
    sizeBytes: 1,
    built: true,
  };
  await context().run.writeObservation({
    schema: 'raygate.observation/1',
    layer: 'images',
    runId: 'run-1',
    startedAt: '',
    seconds: 0,
    facts: {
      app: { ...image, index: undefined, manifest: undefined },
      legacy: { ...image, index: undefined, manifest: undefined },
    },
  });
});
afterEach(() => rm(stateFolder, { recursive: true, force: true }));

const jobOf = (run: string, fields: Partial<KubeObject> = {}): KubeObject => ({
  ...ref,
  metadata: { name: 'django-setup', namespace: 'django-ray', uid: `${run}-uid`, annotations: { [runAnnotation]: run } },
  ...fields,
});

describe('the setup step', () => {
  test('creates the Job, without a TTL and with the mark of its run, and takes in its result', async () => {
    const facts = await runSetup(context());
    expect(facts).toMatchObject({
      jobUid: 'uid-1',
      result: { archive: { uri: archiveUri, bytes: 10 }, sourceTree: tree },
    });
    const job = await cluster.get(ref);
    expect(job).toMatchObject({ value: { metadata: { annotations: { [runAnnotation]: 'run-1' } } } });
    expect(JSON.stringify(job)).not.toContain('ttlSeconds');
  });

  test('removes the Job of an earlier run before it creates its own', async () => {
    cluster.put(jobOf('run-0'));
    await runSetup(context());
    expect(cluster.mutations).toEqual([
      'remove batch/v1/Job/django-ray/django-setup',
      'create batch/v1/Job/django-ray/django-setup',
    ]);
  });

  test('finds its own Job again after a kill, and makes no second one', async () => {
    cluster.put(jobOf('run-1'));
    await complete();
    expect(await runSetup(context())).toMatchObject({ jobUid: 'run-1-uid' });
    expect(cluster.mutations).toEqual([]);
  });

  test('replaces its own Job when that has failed', async () => {
    cluster.put(jobOf('run-1', { status: { conditions: [{ type: 'Failed', status: 'True' }] } }));
    expect(await runSetup(context())).toMatchObject({ jobUid: 'uid-1' });
  });

  test('finds the Job of a create that timed out but was carried out', async () => {
    cluster.failNext('create', new ClusterError({ code: 'time-out', message: 'no answer', retryable: true }), true);
    expect(await runSetup(context())).toMatchObject({ jobUid: 'uid-1' });
    expect(cluster.mutations).toHaveLength(1);
  });

  test('fails with the cause that the container left, as soon as the Job has failed', async () => {
    cluster.react((mutation) => {
      if (mutation.startsWith('create'))
        cluster.put(
          jobOf('run-1', {
            metadata: { ...jobOf('run-1').metadata, uid: 'uid-1' },
            status: { conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'x' }] },
          }),
        );
    });
    await expect(runSetup(context())).rejects.toMatchObject({ layer: 'setup', code: 'setup.job-failed' });
  });

  test('refuses a log without its markers', async () => {
    const silent = fakeCluster({ 'setup-pod': 'nothing' });
    cluster = silent;
    silent.react((mutation) => {
      if (mutation.startsWith('create')) void complete();
    });
    await expect(runSetup(context())).rejects.toMatchObject({ code: 'setup.markers' });
  });

  test("needs the run's own observation of the images", async () => {
    await rm(join(stateFolder, 'runs'), { recursive: true });
    await expect(runSetup(context())).rejects.toMatchObject({ code: 'setup.no-observation' });
  });
});

describe('destroying the setup step', () => {
  test('removes its own Job', async () => {
    cluster.put(jobOf('run-1'));
    await removeSetupJob(context());
    expect(cluster.mutations).toEqual(['remove batch/v1/Job/django-ray/django-setup']);
  });

  test('leaves the Job of a later run alone', async () => {
    cluster.put(jobOf('run-2'));
    await removeSetupJob(context());
    expect(cluster.mutations).toEqual([]);
  });
});
