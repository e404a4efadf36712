import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ClusterError } from '../../src/cluster/clusterError.js';
import type { KubeObject } from '../../src/cluster/objects.js';
import { removeSetupJob, runAnnotation, runSetup } from '../../src/gate/flows/setup.js';
import { kinds } from '../../src/gate/model/kinds.js';
import { setupMarkers } from '../../src/gate/rules/setupResult.js';
import { anObject } from '../builders/kube.js';
import { podObject } from '../builders/objects.js';
import { digestA } from '../builders/pods.js';
import { appReference, archivePath, archiveUri, stepContext, tree } from '../builders/step.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';

const ref = { ...kinds.job, name: 'django-setup', namespace: 'django-ray' };
const message = JSON.stringify({
  schema: 'raygate.setup/v1',
  status: 'complete',
  source_tree: tree,
  archive: {
    uri: archiveUri,
    path: archivePath,
    bytes: 10,
    sha256: 'a'.repeat(64),
    members: 3,
    required_member: 'src/django_ray/runtime/remote.py',
  },
});

let stateFolder: string;
let cluster: FakeCluster;

/** Plays the Job controller and the kubelet: the Job's pod runs to its end. */
async function complete(exitCode = 0, words = message, where = 'state'): Promise<void> {
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
            [where]: { terminated: { exitCode, reason: 'Completed', message: words } },
          },
        ],
      },
    }),
  );
  const condition =
    exitCode === 0
      ? { type: 'Complete', status: 'True' }
      : { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'x' };
  cluster.put({ ...job, status: { conditions: [condition] } });
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
    endedAt: '',
    seconds: 0,
    waits: [],
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

  /** The container's last words, in the result of a Job that failed, or of one that is complete all the same. */
  const failsWith = (exitCode: number, words: object, where?: string) => {
    const token = Buffer.from('S3CRET-0123456789').toString('base64');
    const data = { DATABASE_PASSWORD: token, DATABASE_USER: Buffer.from('django_ray').toString('base64') };
    cluster.put({ ...kinds.secret, metadata: { name: 'django-ray-secret', namespace: 'django-ray' }, data });
    cluster.react((mutation) => {
      if (!mutation.startsWith('create')) return;
      void complete(exitCode, JSON.stringify({ schema: 'raygate.setup/v1', status: 'failed', ...words }), where);
    });
  };
  const words = { step: 'database', error: 'role django_ray was refused with\nS3CRET-0123456789' };

  test.each([
    [
      'a failed Job',
      1,
      'Job django-setup failed (BackoffLimitExceeded: x): step database: role django_ray was refused with [REDACTED]',
    ],
    [
      'a complete Job whose result is not',
      0,
      'The setup result is "raygate.setup/v1" with status "failed", not a complete raygate.setup/v1: step database: role django_ray was refused with [REDACTED]',
    ],
  ])('says the step and the error of %s, and no secret', async (_, exitCode, message) => {
    failsWith(exitCode, words);
    await expect(runSetup(context())).rejects.toMatchObject({ layer: 'setup', message });
  });

  test('says them of the container that ran before the present one, too', async () => {
    failsWith(1, words, 'lastState');
    await expect(runSetup(context())).rejects.toMatchObject({
      message: expect.stringMatching(/: step database: role django_ray was refused with \[REDACTED\]$/),
    });
  });

  test('cuts a long error only after it took the secrets out', async () => {
    failsWith(1, { step: 'database', error: `${'x'.repeat(990)} S3CRET-0123456789` });
    const error = await runSetup(context()).catch((thrown: Error) => thrown.message);
    expect(error).toMatch(/: step database: x{990} \[REDACTE…$/);
  });

  test('fails with the words of the quota that refuses its pod', async () => {
    cluster.react((mutation) => {
      if (!mutation.startsWith('create')) return;
      const event = (name: string, uid: string, reason: string, message: string) =>
        cluster.put(anObject({ kind: 'Event', metadata: { name }, involvedObject: { uid }, reason, message }));
      event('1', 'another-uid', 'FailedCreate', 'Error creating: exceeded quota: not ours');
      event('2', 'uid-1', 'SuccessfulCreate', 'exceeded quota: not a refusal');
      event('3', 'uid-1', 'FailedCreate', 'Error creating: pods "x" is forbidden: exceeded quota: ours');
    });
    await expect(runSetup(context())).rejects.toMatchObject({
      code: 'setup.quota',
      message: 'Job django-setup cannot make its pods: Error creating: pods "x" is forbidden: exceeded quota: ours',
    });
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
