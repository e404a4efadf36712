import { describe, expect, test } from 'vitest';
import type { JobFacts } from '../../src/gate/model/jobFacts.js';
import type { PodFacts } from '../../src/gate/model/podFacts.js';
import { judgeSetup, type SetupReading } from '../../src/gate/rules/setupJob.js';
import { judgeSetupResult, setupMarkers } from '../../src/gate/rules/setupResult.js';
import { container, digestA, digestB, owner, pod, status } from '../builders/pods.js';

const image = 'django-ray:tree-1';
const running = `docker.io/library/${image}`;
const expected = {
  jobName: 'django-setup',
  jobUid: 'job-uid',
  containerName: 'django-setup',
  pod: { initContainers: [], containers: [{ name: 'django-setup', image }] },
  template: { labels: {}, annotations: {}, spec: { containers: [container('django-setup', image)] } },
  digests: { [running]: [digestA] },
};

const job = (fields: Partial<JobFacts> = {}): JobFacts => ({
  name: 'django-setup',
  namespace: 'django-ray',
  uid: 'job-uid',
  terminating: false,
  complete: true,
  failure: undefined,
  ...fields,
});

const done = { exitCode: 0, reason: 'Completed', message: '{"status":"complete"}' };

const setupPod = (fields: Partial<PodFacts> = {}): PodFacts =>
  pod({
    name: 'django-setup-1',
    labels: { 'job-name': 'django-setup' },
    owners: [owner('Job', 'django-setup', 'job-uid')],
    phase: 'Succeeded',
    ready: false,
    containers: [container('django-setup', image)],
    statuses: [status('django-setup', running, { ready: false, terminated: done })],
    ...fields,
  });

const failedWith = (message: string) =>
  setupPod({
    statuses: [status('django-setup', running, { terminated: { exitCode: 1, reason: 'Error', message } })],
  });

const rows: readonly { readonly name: string; readonly reading: Partial<SetupReading>; readonly verdict: string }[] = [
  { name: 'a complete Job with its one pod is done', reading: {}, verdict: 'ready' },
  { name: 'no Job yet is waited for', reading: { job: undefined }, verdict: 'waiting setup.job-absent' },
  {
    name: 'a Job with another UID fails',
    reading: { job: job({ uid: 'other' }) },
    verdict: 'failed setup.job-replaced',
  },
  {
    name: 'a Job without a pod is waited for',
    reading: { job: job({ complete: false }), pods: [] },
    verdict: 'waiting setup.no-pod',
  },
  { name: 'a pod at work is waited for', reading: { job: job({ complete: false }) }, verdict: 'waiting setup.running' },
  {
    name: 'a failed Job fails at once',
    reading: { job: job({ complete: false, failure: 'BackoffLimitExceeded: x' }) },
    verdict: 'failed setup.job-failed',
  },
  {
    name: 'an image that cannot be pulled fails at once',
    reading: {
      job: job({ complete: false }),
      pods: [
        setupPod({ statuses: [status('django-setup', '', { waiting: { reason: 'ImagePullBackOff', message: 'x' } })] }),
      ],
    },
    verdict: 'failed setup.image-pull',
  },
  {
    name: 'a crash loop fails at once',
    reading: {
      job: job({ complete: false }),
      pods: [
        setupPod({
          statuses: [
            status('django-setup', running, { restartCount: 3, waiting: { reason: 'CrashLoopBackOff', message: '' } }),
          ],
        }),
      ],
    },
    verdict: 'failed setup.crash-loop',
  },
  {
    name: 'a pod of an earlier Job that still terminates is waited for',
    reading: {
      pods: [setupPod(), setupPod({ name: 'old', owners: [owner('Job', 'django-setup', 'stale')], terminating: true })],
    },
    verdict: 'waiting setup.old-pod',
  },
  {
    name: "a substitute pod in the Job's label fails",
    reading: { pods: [setupPod(), setupPod({ name: 'substitute', owners: [] })] },
    verdict: 'failed setup.foreign-pod',
  },
  {
    name: 'two pods of the Job fail',
    reading: { pods: [setupPod(), setupPod({ name: 'second' })] },
    verdict: 'failed setup.pod-count',
  },
  {
    name: 'the right name on another image ID fails',
    reading: {
      pods: [setupPod({ statuses: [status('django-setup', running, { imageId: digestB, terminated: done })] })],
    },
    verdict: 'failed setup.image-substituted',
  },
  {
    name: 'an attacker image beside a sidecar on the right tag fails',
    reading: { pods: [setupPod({ containers: [container('django-setup', 'evil:1'), container('sidecar', image)] })] },
    verdict: 'failed setup.pod-images',
  },
  {
    name: 'a pod that runs another command fails before it is done',
    reading: {
      job: job({ complete: false }),
      pods: [setupPod({ containers: [container('django-setup', image, { args: ['bash'] })] })],
    },
    verdict: 'failed setup.pod-spec',
  },
];

describe('the setup Job', () => {
  test.each(rows)('$name', ({ reading, verdict }) => {
    const result = judgeSetup({ job: job(), pods: [setupPod()], ...reading }, expected);
    expect(result.kind === 'ready' ? 'ready' : `${result.kind} ${result.code}`).toBe(verdict);
  });

  test('that failed says the step and the error that its container left', () => {
    const pods = [failedWith('{"status":"failed","step":"migrate","error":"relation exists"}')];
    const result = judgeSetup({ job: job({ complete: false, failure: 'BackoffLimitExceeded: x' }), pods }, expected);
    expect(result).toMatchObject({
      detail: 'Job django-setup failed (BackoffLimitExceeded: x): step migrate: relation exists',
    });
  });
});

describe('what setup says that it made', () => {
  const uri = 'file:///runtime-env/a.zip';
  const tree = '1'.repeat(40);
  const log = setupMarkers.join('\n');
  const message = (fields: object = {}, archive: object = {}) =>
    JSON.stringify({
      schema: 'raygate.setup/v1',
      status: 'complete',
      source_tree: tree,
      archive: { uri, bytes: 10, sha256: 'a'.repeat(64), members: 3, ...archive },
      ...fields,
    });
  const judge = (text: string, lines = log) => judgeSetupResult(text, lines, { archiveUri: uri, sourceTree: tree });

  test('is taken in when it is whole', () => {
    expect(judge(message())).toEqual({
      kind: 'ready',
      facts: { archive: { uri, bytes: 10, sha256: 'a'.repeat(64), members: 3 }, sourceTree: tree },
    });
  });

  test.each([
    ['no JSON', 'done', 'no-result'],
    ['another schema', message({ schema: 'x' }), 'incomplete-result'],
    ['not complete', message({ status: 'failed' }), 'incomplete-result'],
    ['another archive', message({}, { uri: 'file:///runtime-env/b.zip' }), 'archive-uri'],
    ['an empty archive', message({}, { bytes: 0 }), 'archive-facts'],
    ['no digest', message({}, { sha256: 'x' }), 'archive-facts'],
    ['another tree', message({ source_tree: '2'.repeat(40) }), 'source-tree'],
  ])('is refused with %s', (_, text, code) => {
    expect(judge(text)).toMatchObject({ kind: 'failed', code: `setup.${code}` });
  });

  test.each(setupMarkers)('is refused when the log lacks "%s"', (marker) => {
    const lines = setupMarkers.filter((one) => one !== marker).join('\n');
    expect(judge(message(), lines)).toMatchObject({ kind: 'failed', code: 'setup.markers' });
  });
});
