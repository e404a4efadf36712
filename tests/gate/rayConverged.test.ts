import { describe, expect, test } from 'vitest';
import type { RayTopology } from '../../src/gate/model/contracts.js';
import type { PodTemplate } from '../../src/gate/model/podTemplate.js';
import { judgeRayConverged, type RayConvergedExpectation } from '../../src/gate/rules/rayConverged.js';
import type { RayReading } from '../../src/gate/rules/rayInventory.js';
import { container, owner, pod, status } from '../builders/pods.js';
import {
  completed,
  operatorPods,
  rayCluster,
  rayExpectation,
  rayHead,
  rayImage,
  rayPods,
  rayWorker,
  topology,
  waitGcsReady,
} from '../builders/ray.js';

interface Row {
  readonly name: string;
  readonly reading?: Partial<RayReading>;
  readonly expected?: Partial<RayConvergedExpectation>;
  /** `ready`, or kind and code. */
  readonly verdict: string;
}

const changedSpec = (role: string, change: object): PodTemplate => {
  const pod = operatorPods[role] as PodTemplate;
  return { ...pod, spec: { ...pod.spec, ...change } };
};

const otherSplit: RayTopology = {
  ...topology,
  groups: ['a', 'b'].map((name) => ({ ...(topology.groups[0] as RayTopology['groups'][0]), name, replicas: 1 })),
};

const rows: readonly Row[] = [
  { name: 'one head and two workers, all Ready, are converged', verdict: 'ready' },
  {
    name: 'a worker with a volume that neither plan nor operator gives it fails, Ready or not',
    reading: {
      pods: rayPods(
        rayWorker('ray-worker-1', {
          ready: false,
          whole: changedSpec('worker:worker-group', { volumes: [{ name: 'x', hostPath: { path: '/' } }] }),
        }),
      ),
    },
    verdict: 'failed ray.pod-spec',
  },
  {
    name: 'a head whose start command was changed fails',
    reading: { pods: rayPods(rayHead({ whole: changedSpec('head', { containers: [{ name: 'ray-head' }] }) })) },
    verdict: 'failed ray.pod-spec',
  },
  {
    name: 'a role that the plan has no pod for fails',
    expected: { pods: {} },
    verdict: 'failed ray.pod-spec',
  },
  { name: 'no cluster yet is waited for', reading: { cluster: undefined }, verdict: 'waiting ray.cluster-absent' },
  {
    name: 'a cluster with another UID fails',
    reading: { cluster: rayCluster({ uid: 'other' }) },
    verdict: 'failed ray.cluster-replaced',
  },
  {
    name: 'a cluster being deleted fails',
    reading: { cluster: rayCluster({ terminating: true }) },
    verdict: 'failed ray.cluster-terminating',
  },
  {
    name: 'equal counts in another split of groups fail',
    reading: { cluster: rayCluster({ topology: { ok: true, topology: otherSplit } }) },
    verdict: 'failed ray.topology',
  },
  {
    name: 'the same shape with its keys in another order is the planned one',
    reading: {
      cluster: rayCluster({
        topology: {
          ok: true,
          topology: { ...topology, head: { ...topology.head, containers: [{ image: rayImage, name: 'ray-head' }] } },
        },
      }),
    },
    verdict: 'ready',
  },
  {
    name: 'a first crash is waited for: it may be a race with what the container depends on',
    reading: {
      pods: rayPods(
        rayHead({
          ready: false,
          statuses: [
            status('ray-head', 'docker.io/rayproject/ray:2.60.0-py313', {
              ready: false,
              restartCount: 1,
              waiting: { reason: 'CrashLoopBackOff', message: '' },
            }),
          ],
        }),
      ),
    },
    verdict: 'waiting ray.not-ready',
  },
  { name: 'no pods yet are waited for', reading: { pods: [] }, verdict: 'waiting ray.missing-pods' },
  { name: 'the head alone is waited for', reading: { pods: [rayHead()] }, verdict: 'waiting ray.missing-pods' },
  {
    name: 'a surplus worker fails',
    reading: { pods: rayPods(rayWorker('ray-worker-3')) },
    verdict: 'failed ray.surplus',
  },
  {
    name: 'two heads fail',
    reading: { pods: rayPods(rayHead({ name: 'ray-head-2' })) },
    verdict: 'failed ray.surplus',
  },
  {
    name: 'a pod from before the restart is waited for, whatever it runs',
    reading: { pods: rayPods(rayWorker('old', { containers: [container('ray-worker', 'other:1')] })) },
    expected: { retiredUids: new Set(['old-uid']) },
    verdict: 'waiting ray.old-pods',
  },
  {
    name: 'a terminating pod is waited for',
    reading: { pods: rayPods(rayHead({ terminating: true })) },
    verdict: 'waiting ray.terminating',
  },
  {
    name: 'a pod owned by a cluster of that name with another UID fails',
    reading: { pods: rayPods(rayWorker('ray-worker-2', { owners: [owner('RayCluster', 'ray', 'stale')] })) },
    verdict: 'failed ray.pod-not-owned',
  },
  {
    name: 'a pod with a non-controlling reference fails',
    reading: {
      pods: rayPods(
        rayWorker('ray-worker-2', { owners: [owner('RayCluster', 'ray', 'cluster-uid', { controller: false })] }),
      ),
    },
    verdict: 'failed ray.pod-not-owned',
  },
  {
    name: 'a pod of our UID without the cluster label fails',
    reading: { pods: rayPods(rayHead({ labels: { app: 'ray', component: 'head' } })) },
    verdict: 'failed ray.pod-not-owned',
  },
  {
    name: 'a worker of a group that is not planned fails',
    reading: {
      pods: rayPods(
        rayWorker('ray-worker-2', {
          labels: { app: 'ray', component: 'worker', 'ray.io/cluster': 'ray', 'ray.io/group': 'gpu' },
        }),
      ),
    },
    verdict: 'failed ray.pod-role',
  },
  {
    name: 'a pod that is no Ray pod is not looked at',
    reading: { pods: [...rayPods(), pod({ name: 'web', ready: false })] },
    verdict: 'ready',
  },
  {
    name: 'an ephemeral container fails',
    reading: { pods: rayPods(rayHead({ ephemeralContainers: 1 })) },
    verdict: 'failed ray.ephemeral-container',
  },
  {
    name: 'another image in the spec fails',
    reading: { pods: rayPods(rayHead({ containers: [container('ray-head', 'rayproject/ray:latest')] })) },
    verdict: 'failed ray.pod-images',
  },
  {
    name: 'a container that runs another image than its spec says fails',
    reading: { pods: rayPods(rayHead({ statuses: [status('ray-head', 'docker.io/rayproject/ray:nightly')] })) },
    verdict: 'failed ray.image-name',
  },
  {
    name: 'an injected sidecar fails',
    reading: {
      pods: rayPods(
        rayHead({ containers: [container('ray-head', 'rayproject/ray:2.60.0-py313'), container('proxy', 'proxy:1')] }),
      ),
    },
    verdict: 'failed ray.pod-images',
  },
  {
    name: 'a worker without the operator init container fails',
    reading: { pods: rayPods(rayWorker('ray-worker-2', { initContainers: [] })) },
    verdict: 'failed ray.init-container',
  },
  {
    name: 'a changed init script fails',
    reading: {
      pods: rayPods(rayWorker('ray-worker-2', { initContainers: [waitGcsReady({ args: ['SECONDS=0\ntrue'] })] })),
    },
    verdict: 'failed ray.init-script',
  },
  {
    name: 'another init command fails',
    reading: {
      pods: rayPods(
        rayWorker('ray-worker-2', { initContainers: [waitGcsReady({ command: ['/bin/sh', '-c', '--'] })] }),
      ),
    },
    verdict: 'failed ray.init-script',
  },
  {
    name: 'an init container that had to restart fails',
    reading: {
      pods: rayPods(
        rayWorker('ray-worker-2', {
          initStatuses: [
            status('wait-gcs-ready', 'docker.io/rayproject/ray:2.60.0-py313', {
              terminated: completed,
              restartCount: 1,
            }),
          ],
        }),
      ),
    },
    verdict: 'failed ray.init-status',
  },
  {
    name: 'a worker still in its init container is waited for',
    reading: {
      pods: rayPods(
        rayWorker('ray-worker-2', {
          ready: false,
          phase: 'Pending',
          initStatuses: [status('wait-gcs-ready', 'docker.io/rayproject/ray:2.60.0-py313', { ready: false })],
          statuses: [status('ray-worker', '', { imageId: '', ready: false })],
        }),
      ),
    },
    verdict: 'waiting ray.container-status',
  },
  {
    name: 'a pod that is not Ready is waited for',
    reading: { pods: rayPods(rayHead({ ready: false })) },
    verdict: 'waiting ray.not-ready',
  },
  {
    name: 'an image that cannot be pulled fails at once',
    reading: {
      pods: rayPods(
        rayHead({
          ready: false,
          statuses: [status('ray-head', '', { waiting: { reason: 'ImagePullBackOff', message: 'no such tag' } })],
        }),
      ),
    },
    verdict: 'failed ray.image-pull',
  },
  {
    name: 'a crash loop fails at once',
    reading: {
      pods: rayPods(
        rayHead({
          ready: false,
          statuses: [status('ray-head', '', { restartCount: 3, waiting: { reason: 'CrashLoopBackOff', message: '' } })],
        }),
      ),
    },
    verdict: 'failed ray.crash-loop',
  },
];

describe('Ray has converged when exactly the planned pods run', () => {
  test.each(rows)('$name', ({ reading, expected, verdict }) => {
    const result = judgeRayConverged({ cluster: rayCluster(), pods: rayPods(), ...reading }, rayExpectation(expected));
    expect(result.kind === 'ready' ? 'ready' : `${result.kind} ${result.code}`).toBe(verdict);
  });

  test('the facts name each pod, what it runs and how many there are', () => {
    const result = judgeRayConverged({ cluster: rayCluster(), pods: rayPods() }, rayExpectation());
    expect(result).toMatchObject({
      kind: 'ready',
      facts: {
        clusterUid: 'cluster-uid',
        heads: 1,
        workers: 2,
        pods: [
          { name: 'ray-head-1', role: 'head', uid: 'ray-head-1-uid', restarts: 0 },
          { name: 'ray-worker-1', role: 'worker:worker-group', uid: 'ray-worker-1-uid' },
          { name: 'ray-worker-2', role: 'worker:worker-group', uid: 'ray-worker-2-uid' },
        ],
      },
    });
  });

  test('what is waited for names the role and the count', () => {
    const result = judgeRayConverged({ cluster: rayCluster(), pods: [rayHead()] }, rayExpectation());
    expect(result).toEqual({ kind: 'waiting', code: 'ray.missing-pods', detail: 'worker:worker-group 0/2' });
  });
});
