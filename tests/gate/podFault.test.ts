import { describe, expect, test } from 'vitest';
import type { PodFacts } from '../../src/gate/model/podFacts.js';
import { heldFault, podFault, podProgress } from '../../src/gate/rules/podFault.js';
import { pod, status } from '../builders/pods.js';

const waitingFor = (reason: string, message = 'm', restartCount = 0, lastTerminated?: object) =>
  status('main', 'app:1', {
    ready: false,
    restartCount,
    waiting: { reason, message },
    ...(lastTerminated ? { lastTerminated: { exitCode: 1, reason: 'Error', message: '', ...lastTerminated } } : {}),
  });
const held = (seconds: number) => ({ seconds: new Map([['pod-uid', seconds]]), limitSeconds: 120 });

describe('a pod that can never become ready says why', () => {
  test.each<[string, Partial<PodFacts>, string, string]>([
    [
      'an image that is not there',
      { statuses: [waitingFor('ImagePullBackOff', 'Back-off pulling image "x"')] },
      'image-pull',
      'container main of pod pod: ImagePullBackOff: Back-off pulling image "x"',
    ],
    [
      'an image that may not be pulled',
      { statuses: [waitingFor('ErrImageNeverPull', '')] },
      'image-pull',
      'container main of pod pod: ErrImageNeverPull: image app:1',
    ],
    [
      'a name that is no image',
      { statuses: [waitingFor('InvalidImageName')] },
      'image-pull',
      'container main of pod pod: InvalidImageName: m',
    ],
    [
      'an image without its signature',
      { statuses: [waitingFor('SignatureValidationFailed')] },
      'image-pull',
      'container main of pod pod: SignatureValidationFailed: m',
    ],
    [
      'a Secret that is not there',
      { statuses: [waitingFor('CreateContainerConfigError', 'secret "x" not found')] },
      'container-config',
      'container main of pod pod: CreateContainerConfigError: secret "x" not found',
    ],
    [
      'an init container that cannot be made',
      { initStatuses: [waitingFor('CreateContainerError')] },
      'container-config',
      'container main of pod pod: CreateContainerError: m',
    ],
    [
      'a crash loop, with the last words',
      { statuses: [waitingFor('CrashLoopBackOff', '', 3, { exitCode: 2, message: 'no database\n' })] },
      'crash-loop',
      'container main of pod pod crashed 3 times: exit code 2: no database',
    ],
    [
      'a crash loop for want of memory',
      { statuses: [waitingFor('CrashLoopBackOff', '', 4, { exitCode: 137, reason: 'OOMKilled' })] },
      'crash-loop',
      'container main of pod pod crashed 4 times: exit code 137 OOMKilled',
    ],
    [
      'a crash loop without a cause',
      { statuses: [waitingFor('CrashLoopBackOff', '', 3)] },
      'crash-loop',
      'container main of pod pod crashed 3 times: it says no cause',
    ],
    ['an eviction', { phase: 'Failed', reason: 'Evicted' }, 'pod-failed', 'pod pod failed: Evicted'],
    [
      'a container that ended badly',
      {
        phase: 'Failed',
        statuses: [status('main', 'x', { terminated: { exitCode: 3, reason: 'Error', message: 'boom' } })],
      },
      'pod-failed',
      'pod pod failed: container main ended with exit code 3: boom',
    ],
    ['nothing', { phase: 'Failed' }, 'pod-failed', 'pod pod failed: it says no reason'],
  ])('%s', (_, fields, code, detail) => {
    expect(podFault(pod(fields))).toEqual({ code, detail });
  });

  test.each<[string, Partial<PodFacts>]>([
    ['runs', {}],
    ['pulls its image for the first time', { statuses: [waitingFor('ErrImagePull')] }],
    ['has crashed twice', { statuses: [waitingFor('CrashLoopBackOff', '', 2)] }],
    ['restarts without a crash loop', { statuses: [waitingFor('ContainerCreating', '', 5)] }],
    ['has no node yet', { unschedulable: 'no memory' }],
    ['is terminating', { terminating: true }],
  ])('not one that %s', (_, fields) => {
    expect(podFault(pod(fields))).toBeUndefined();
  });
});

describe('a pod that does not get on', () => {
  test.each<[string, Partial<PodFacts>, number, string | undefined]>([
    ['has no node within its time', { unschedulable: 'x' }, 119.9, undefined],
    [
      'has no node beyond it',
      { unschedulable: '0/1 nodes: memory' },
      121.7,
      'pod pod has had no node for 121 s: 0/1 nodes: memory',
    ],
    ['terminates within its own grace period', { terminating: true, graceSeconds: 60 }, 179, undefined],
    [
      'terminates beyond it',
      { terminating: true, graceSeconds: 60 },
      180,
      'pod pod has been terminating for 180 s: its node does not end it',
    ],
    [
      'terminates beyond it, held',
      { terminating: true, finalizers: ['a/b', 'c/d'] },
      150,
      'pod pod has been terminating for 150 s, held by finalizer a/b, c/d',
    ],
    ['terminates without ever having had a node', { terminating: true, unschedulable: 'x' }, 130, undefined],
    ['runs by now', {}, 1000, undefined],
  ])('%s', (_, fields, seconds, detail) => {
    expect(heldFault(pod(fields), held(seconds))?.detail).toBe(detail);
  });

  test('is judged by time only when the time is known', () => {
    expect(heldFault(pod({ unschedulable: 'x' }), undefined)).toBeUndefined();
    expect(heldFault(pod({ unschedulable: 'x', uid: 'other' }), held(1000))).toBeUndefined();
  });

  test('ends a wait before what its containers say', () => {
    const stuck = pod({ unschedulable: 'x', phase: 'Failed' });
    expect(podFault(stuck, held(120))).toMatchObject({ code: 'unschedulable' });
  });
});

describe('what a pod waits for', () => {
  test.each<[string, Partial<PodFacts>]>([
    ['pod is terminating', { terminating: true, unschedulable: 'x' }],
    ['pod is terminating, held by finalizer a/b', { terminating: true, finalizers: ['a/b'] }],
    ['pod has no node: x', { unschedulable: 'x' }],
    ['pod: main ContainerCreating', { statuses: [waitingFor('ContainerCreating')] }],
    ['pod: init container i', { initStatuses: [status('i', 'x')] }],
    ['pod: main not ready', { statuses: [status('main', 'x', { ready: false })] }],
    ['pod: Pending', { phase: 'Pending', statuses: [] }],
    ['pod: no status yet', { phase: '', statuses: [] }],
  ])('%s', (text, fields) => {
    expect(podProgress(pod(fields))).toBe(text);
  });
});
