import { describe, expect, test } from 'vitest';
import { judgeRestartDiscovery } from '../../src/gate/rules/rayRestart.js';
import { container, owner } from '../builders/pods.js';
import { rayCluster, rayExpectation, rayHead, rayImage, rayPods, rayWorker, waitGcsReady } from '../builders/ray.js';

const judge = (pods = rayPods(), clusterUid: string | undefined = undefined) =>
  judgeRestartDiscovery({ cluster: rayCluster(), pods }, rayExpectation({ clusterUid }));

describe('which Ray pods a cold restart may delete', () => {
  test.each([
    ['the planned ones', rayPods(), 3],
    ['none at all', [], 0],
    [
      'those of an earlier image',
      rayPods(rayHead({ containers: [container('ray-head', 'rayproject/ray:2.50.0')] })),
      3,
    ],
    ['three workers too many', rayPods(...['a', 'b', 'c'].map((name) => rayWorker(name))), 6],
    [
      'one whose init script has changed',
      rayPods(rayWorker('ray-worker-2', { initContainers: [waitGcsReady({ args: ['true'] })] })),
      3,
    ],
  ])('%s', (_, pods, count) => {
    const result = judge(pods);
    expect(result.kind === 'ready' ? result.facts.pods.length : result.code).toBe(count);
  });

  test.each([
    ['one of nobody', rayPods(rayHead({ owners: [] })), 'ray.pod-not-owned'],
    [
      'one of a cluster that was replaced',
      rayPods(rayHead({ owners: [owner('RayCluster', 'ray', 'stale')] })),
      'ray.pod-not-owned',
    ],
    [
      'one with a sidecar',
      rayPods(rayHead({ containers: [container('ray-head', rayImage), container('proxy', 'x:1')] })),
      'ray.container-names',
    ],
    [
      'one with a renamed container',
      rayPods(rayHead({ containers: [container('head', rayImage)] })),
      'ray.container-names',
    ],
    [
      'a worker without the init container',
      rayPods(rayWorker('ray-worker-2', { initContainers: [] })),
      'ray.container-names',
    ],
    [
      'a worker with one more',
      rayPods(rayWorker('ray-worker-2', { initContainers: [waitGcsReady(), container('x', 'x:1')] })),
      'ray.container-names',
    ],
    ['one without an image', rayPods(rayHead({ containers: [container('ray-head', '')] })), 'ray.image-reference'],
    ['one with an ephemeral container', rayPods(rayHead({ ephemeralContainers: 1 })), 'ray.ephemeral-container'],
  ])('not %s', (_, pods, code) => {
    expect(judge(pods)).toMatchObject({ kind: 'failed', code });
  });
});
