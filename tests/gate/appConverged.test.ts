import { describe, expect, test } from 'vitest';
import { type AppReading, judgeAppConverged } from '../../src/gate/rules/appConverged.js';
import { container, digestA, digestB, owner, pod, status } from '../builders/pods.js';
import {
  appDigests,
  appImage,
  appReading,
  deployment,
  oldPod,
  oldReplicaSet,
  replicaSet,
  template,
  webContract,
  webPod,
} from '../builders/rollouts.js';

const running = `docker.io/library/${appImage}`;
const c = 'app-convergence';
const quota = 'FailedCreate: pods "x" is forbidden: exceeded quota: q';
const heldUp = (pod: string, seconds: number) => ({ seconds: new Map([[`${pod}-uid`, seconds]]), limitSeconds: 120 });

const rows: readonly { readonly name: string; readonly reading: Partial<AppReading>; readonly verdict: string }[] = [
  { name: 'the planned pod alone, behind its current ReplicaSet, is converged', reading: {}, verdict: 'ready' },
  {
    name: 'no Deployment yet is waited for',
    reading: { deployments: [], replicaSets: [], pods: [] },
    verdict: `waiting ${c}.absent`,
  },
  {
    name: 'a generation not observed yet is waited for',
    reading: { deployments: [deployment({ observedGeneration: 1 })] },
    verdict: `waiting ${c}.not-observed`,
  },
  {
    name: 'readyReplicas that lag are waited for',
    reading: { deployments: [deployment({ readyReplicas: 0 })] },
    verdict: `waiting ${c}.counts`,
  },
  {
    name: 'a manager scaled to 0 fails at once',
    reading: { deployments: [deployment({ replicas: 0 })] },
    verdict: `failed ${c}.replicas`,
  },
  {
    name: 'another selector fails',
    reading: { deployments: [deployment({ selector: { app: 'x' } })] },
    verdict: `failed ${c}.selector`,
  },
  {
    name: 'a selector with expressions fails',
    reading: { deployments: [deployment({ hasSelectorExpressions: true })] },
    verdict: `failed ${c}.selector`,
  },
  {
    name: 'another image in the Deployment fails',
    reading: { deployments: [deployment({ template: template({ containers: [container('web', 'evil:1')] }) })] },
    verdict: `failed ${c}.template-images`,
  },
  {
    name: 'a Deployment being deleted fails',
    reading: { deployments: [deployment({ terminating: true })] },
    verdict: `failed ${c}.deployment-terminating`,
  },
  {
    name: 'a ReplicaSet of a Deployment of that name with another UID fails',
    reading: { replicaSets: [replicaSet(), oldReplicaSet({ owners: [owner('Deployment', 'web', 'stale')] })] },
    verdict: `failed ${c}.replica-set-owner`,
  },
  {
    name: 'a ReplicaSet of the pinned UID under another owner name fails',
    reading: { replicaSets: [replicaSet({ owners: [owner('Deployment', 'other', 'web-uid')] })] },
    verdict: `failed ${c}.replica-set-owner`,
  },
  {
    name: 'two ReplicaSets of one revision fail',
    reading: { replicaSets: [replicaSet(), oldReplicaSet({ revision: 2 })] },
    verdict: `failed ${c}.replica-set-revision`,
  },
  {
    name: 'a current ReplicaSet with another template fails',
    reading: {
      replicaSets: [
        replicaSet({
          template: template({
            labels: { app: 'django-ray', component: 'web', 'pod-template-hash': 'new' },
            containers: [container('web', 'evil:1')],
          }),
        }),
      ],
    },
    verdict: `failed ${c}.replica-set-template`,
  },
  {
    name: 'another command in the Deployment fails',
    reading: {
      deployments: [
        deployment({ template: template({ containers: [container('web', appImage, { args: ['shell'] })] }) }),
      ],
    },
    verdict: `failed ${c}.template-spec`,
  },
  {
    name: 'another command in the current ReplicaSet fails',
    reading: {
      replicaSets: [
        replicaSet({
          template: template({
            labels: { app: 'django-ray', component: 'web', 'pod-template-hash': 'new' },
            containers: [container('web', appImage, { args: ['shell'] })],
          }),
        }),
      ],
    },
    verdict: `failed ${c}.replica-set-template`,
  },
  {
    name: 'another command in a pod than in its ReplicaSet fails',
    reading: { pods: [webPod({ containers: [container('web', appImage, { args: ['shell'] })] })] },
    verdict: `failed ${c}.pod-spec`,
  },
  {
    name: 'an old pod is compared with its own ReplicaSet',
    reading: { pods: [webPod(), oldPod({ containers: [container('web', 'django-ray:tree-0', { args: ['shell'] })] })] },
    verdict: `failed ${c}.pod-spec`,
  },
  {
    name: 'no current ReplicaSet is waited for',
    reading: { replicaSets: [oldReplicaSet()], pods: [] },
    verdict: `waiting ${c}.no-replica-set`,
  },
  {
    name: 'an old ReplicaSet with pods is waited for',
    reading: { replicaSets: [replicaSet(), oldReplicaSet({ statusReplicas: 1 })] },
    verdict: `waiting ${c}.old-replica-set`,
  },
  {
    name: 'an old pod that terminates is waited for',
    reading: { pods: [webPod(), oldPod({ terminating: true })] },
    verdict: `waiting ${c}.old-pod`,
  },
  {
    name: 'an old pod with a sidecar that its ReplicaSet lacks fails',
    reading: {
      pods: [webPod(), oldPod({ containers: [container('web', 'django-ray:tree-0'), container('x', 'x:1')] })],
    },
    verdict: `failed ${c}.pod-images`,
  },
  {
    name: 'a pod in our labels of a StatefulSet fails',
    reading: {
      pods: [
        webPod(),
        pod({
          name: 'x',
          labels: { app: 'django-ray', component: 'web' },
          owners: [owner('StatefulSet', 's', 's-uid')],
        }),
      ],
    },
    verdict: `failed ${c}.stray-pod`,
  },
  {
    name: 'a pod in our labels of nobody fails',
    reading: { pods: [webPod(), pod({ name: 'x', labels: { app: 'django-ray', component: 'web' } })] },
    verdict: `failed ${c}.stray-pod`,
  },
  {
    name: 'a pod with a non-controlling reference to our ReplicaSet and a foreign controller fails',
    reading: {
      pods: [
        webPod({
          owners: [
            owner('ReplicaSet', 'web-new', 'web-new-uid', { controller: false }),
            owner('StatefulSet', 's', 's-uid'),
          ],
        }),
      ],
    },
    verdict: `failed ${c}.stray-pod`,
  },
  {
    name: 'a pod that claims two of our ReplicaSets fails',
    reading: {
      pods: [
        webPod({
          owners: [
            owner('ReplicaSet', 'web-new', 'web-new-uid'),
            owner('ReplicaSet', 'web-old', 'web-old-uid', { controller: false }),
          ],
        }),
      ],
    },
    verdict: `failed ${c}.stray-pod`,
  },
  {
    name: "a pod that lost its ReplicaSet's own label fails",
    reading: { pods: [webPod({ labels: { app: 'django-ray', component: 'web' } })] },
    verdict: `failed ${c}.pod-labels`,
  },
  {
    name: 'a pod hidden by a changed label fails',
    reading: { pods: [webPod({ labels: { app: 'django-ray', 'pod-template-hash': 'new' } })] },
    verdict: `failed ${c}.pod-labels`,
  },
  {
    name: 'a pod with a substituted image fails',
    reading: { pods: [webPod({ containers: [container('web', 'evil:1')] })] },
    verdict: `failed ${c}.pod-images`,
  },
  {
    name: 'the right tag on another image ID fails',
    reading: { pods: [webPod({ statuses: [status('web', running, { imageId: digestB })] })] },
    verdict: `failed ${c}.image-substituted`,
  },
  {
    name: 'the same image ID under another of its tags is accepted',
    reading: {
      pods: [
        webPod({ statuses: [status('web', 'docker.io/library/django-ray:other', { imageId: `docker://${digestA}` })] }),
      ],
    },
    verdict: 'ready',
  },
  {
    name: 'a malformed image ID fails',
    reading: { pods: [webPod({ statuses: [status('web', running, { imageId: 'sha256:12' })] })] },
    verdict: `failed ${c}.image-id`,
  },
  {
    name: 'an unexpected container status fails',
    reading: { pods: [webPod({ statuses: [status('web', running), status('x', 'x:1')] })] },
    verdict: `failed ${c}.container-status`,
  },
  {
    name: 'a blank image ID is waited for',
    reading: { pods: [webPod({ statuses: [status('web', running, { imageId: '' })] })] },
    verdict: `waiting ${c}.container-status`,
  },
  {
    name: 'a container that is not ready is waited for',
    reading: { pods: [webPod({ ready: false })] },
    verdict: `waiting ${c}.not-ready`,
  },
  { name: 'a missing pod is waited for', reading: { pods: [] }, verdict: `waiting ${c}.pod-count` },
  {
    name: 'an ephemeral container fails',
    reading: { pods: [webPod({ ephemeralContainers: 1 })] },
    verdict: `failed ${c}.ephemeral-container`,
  },
  {
    name: 'an image that cannot be pulled fails at once',
    reading: {
      pods: [
        webPod({
          ready: false,
          statuses: [status('web', running, { waiting: { reason: 'ErrImageNeverPull', message: 'x' } })],
        }),
      ],
    },
    verdict: `failed ${c}.image-pull`,
  },
  {
    name: 'a Deployment without a generation fails',
    reading: { deployments: [deployment({ generation: 0, observedGeneration: 0 })] },
    verdict: `failed ${c}.deployment-identity`,
  },
  {
    name: 'a Deployment of its first generation is converged',
    reading: { deployments: [deployment({ generation: 1, observedGeneration: 1 })] },
    verdict: 'ready',
  },
  {
    name: 'a Deployment whose template its selector misses fails',
    reading: { deployments: [deployment({ template: template({ labels: { app: 'django-ray' } }) })] },
    verdict: `failed ${c}.template-labels`,
  },
  {
    name: 'a current ReplicaSet of which one count lags is waited for',
    reading: { replicaSets: [replicaSet({ availableReplicas: 0 })] },
    verdict: `waiting ${c}.replica-set-counts`,
  },
  {
    name: 'a current ReplicaSet that is being deleted is waited for',
    reading: { replicaSets: [replicaSet({ terminating: true })] },
    verdict: `waiting ${c}.replica-set-terminating`,
  },
  {
    name: 'a Deployment that somebody else controls fails',
    reading: { deployments: [deployment({ owners: [owner('Thing', 'x', 'x-uid')] })] },
    verdict: `failed ${c}.deployment-owner`,
  },
  {
    name: 'a Deployment with an owner that does not control it is ours',
    reading: { deployments: [deployment({ owners: [owner('Thing', 'x', 'x-uid', { controller: false })] })] },
    verdict: 'ready',
  },
  {
    name: 'a paused Deployment fails: it would keep its old ReplicaSet for ever',
    reading: { deployments: [deployment({ paused: true })] },
    verdict: `failed ${c}.paused`,
  },
  {
    name: 'a second ReplicaSet that is scaled up is waited for under its own code',
    reading: { replicaSets: [replicaSet(), oldReplicaSet({ replicas: 1 })] },
    verdict: `waiting ${c}.old-replica-set`,
  },
  {
    name: "a ReplicaSet of nobody that makes the Deployment's pods fails",
    reading: { replicaSets: [replicaSet(), oldReplicaSet({ owners: [], replicas: 1 })] },
    verdict: `failed ${c}.stray-replica-set`,
  },
  {
    name: 'a ReplicaSet of nobody that still has pods fails',
    reading: { replicaSets: [replicaSet(), oldReplicaSet({ owners: [], statusReplicas: 1 })] },
    verdict: `failed ${c}.stray-replica-set`,
  },
  {
    name: 'a spent ReplicaSet of nobody does not matter',
    reading: { replicaSets: [replicaSet(), oldReplicaSet({ owners: [] })] },
    verdict: 'ready',
  },
  {
    name: 'a ReplicaSet that makes pods of the application under other labels fails',
    reading: {
      replicaSets: [
        replicaSet(),
        replicaSet({
          name: 'hidden',
          uid: 'hidden-uid',
          owners: [],
          template: template({ labels: { app: 'x' } }),
        }),
      ],
    },
    verdict: `failed ${c}.stray-replica-set`,
  },
  {
    name: "a ReplicaSet of somebody else's image and labels does not matter",
    reading: {
      replicaSets: [
        replicaSet(),
        replicaSet({
          name: 'other',
          uid: 'other-uid',
          owners: [],
          template: template({ labels: { app: 'x' }, containers: [container('x', 'x:1')] }),
        }),
      ],
    },
    verdict: 'ready',
  },
  {
    name: 'an old pod that a finalizer holds is waited for under its own code',
    reading: { pods: [webPod(), oldPod({ terminating: true, finalizers: ['example.com/hold'] })] },
    verdict: `waiting ${c}.finalizer`,
  },
  {
    name: 'an old pod with a finalizer that nobody deleted is an old pod',
    reading: { pods: [webPod(), oldPod({ finalizers: ['example.com/hold'] })] },
    verdict: `waiting ${c}.old-pod`,
  },
  {
    name: 'a current pod that a finalizer holds is waited for under its own code',
    reading: { pods: [webPod({ terminating: true, finalizers: ['example.com/hold'] })] },
    verdict: `waiting ${c}.finalizer`,
  },
  {
    name: 'a current pod that terminates is waited for',
    reading: { pods: [webPod({ terminating: true })] },
    verdict: `waiting ${c}.terminating`,
  },
  {
    name: 'an ephemeral container in an old pod fails',
    reading: { pods: [webPod(), oldPod({ ephemeralContainers: 1 })] },
    verdict: `failed ${c}.ephemeral-container`,
  },
  {
    name: 'a finished pod in our labels does not matter',
    reading: {
      pods: [webPod(), pod({ name: 'x', labels: { app: 'django-ray', component: 'web' }, phase: 'Succeeded' })],
    },
    verdict: 'ready',
  },
  {
    name: "a pod that left its ReplicaSet's labels, and so its owner, is found by its image",
    reading: { pods: [webPod(), webPod({ name: 'x', uid: 'x', labels: { app: 'debug' }, owners: [] })] },
    verdict: `failed ${c}.hidden-pod`,
  },
  {
    name: 'a hidden pod of an earlier release is found by its repository',
    reading: {
      pods: [
        webPod(),
        pod({
          name: 'x',
          containers: [container('m', 'django-ray:tree-0')],
          statuses: [status('m', '', { imageId: '' })],
        }),
      ],
    },
    verdict: `failed ${c}.hidden-pod`,
  },
  {
    name: 'a hidden pod that names the image otherwise is found by its content',
    reading: {
      pods: [webPod(), pod({ name: 'x', containers: [container('m', 'other:1')], statuses: [status('m', 'other:1')] })],
    },
    verdict: `failed ${c}.hidden-pod`,
  },
  {
    name: 'a hidden pod whose init container runs the application is found',
    reading: {
      pods: [
        webPod(),
        pod({
          name: 'x',
          initContainers: [container('i', 'docker.io/library/django-ray@sha256:0')],
          statuses: [],
        }),
      ],
    },
    verdict: `failed ${c}.hidden-pod`,
  },
  {
    name: 'a finished pod of the application, such as that of setup, does not matter',
    reading: { pods: [webPod(), webPod({ name: 'x', uid: 'x', labels: {}, owners: [], phase: 'Succeeded' })] },
    verdict: 'ready',
  },
  {
    name: "a pod of somebody else's does not matter",
    reading: {
      pods: [
        webPod(),
        pod({
          name: 'x',
          containers: [container('m', 'django-ray-worker:1')],
          statuses: [status('m', 'django-ray-worker:1', { imageId: digestB })],
        }),
      ],
    },
    verdict: 'ready',
  },
  {
    name: 'two pods of one UID fail',
    reading: { pods: [webPod(), webPod({ name: 'x' })].map((one) => ({ ...one, uid: 'same' })) },
    verdict: `failed ${c}.identity`,
  },
  {
    name: 'a ReplicaSet that a quota gives no pod fails at once',
    reading: { replicaSets: [replicaSet({ replicaFailure: quota })], pods: [] },
    verdict: `failed ${c}.quota`,
  },
  {
    name: 'a ReplicaSet that a quota gives no pod while others leave is waited for',
    reading: {
      replicaSets: [replicaSet({ replicaFailure: quota })],
      pods: [webPod(), pod({ terminating: true, statuses: [] })],
    },
    verdict: `waiting ${c}.pods-refused`,
  },
  {
    name: 'a ReplicaSet whose pods an absent webhook holds up is waited for',
    reading: { replicaSets: [replicaSet({ replicaFailure: 'FailedCreate: failed calling webhook' })] },
    verdict: `waiting ${c}.pods-refused`,
  },
  {
    name: 'a spent ReplicaSet that once met a quota does not matter',
    reading: { replicaSets: [replicaSet(), oldReplicaSet({ replicaFailure: quota })] },
    verdict: 'ready',
  },
  {
    name: 'a pod that has had no node for too long fails',
    reading: { pods: [webPod({ ready: false, unschedulable: 'no memory' })], held: heldUp('web-new-1', 120) },
    verdict: `failed ${c}.unschedulable`,
  },
  {
    name: 'a pod that has had no node for a while is waited for',
    reading: { pods: [webPod({ ready: false, unschedulable: 'no memory' })], held: heldUp('web-new-1', 119) },
    verdict: `waiting ${c}.not-ready`,
  },
  {
    name: 'an old pod that terminates for ever fails',
    reading: { pods: [webPod(), oldPod({ terminating: true })], held: heldUp('web-old-1', 150) },
    verdict: `failed ${c}.stuck-terminating`,
  },
];

describe('the application has converged when exactly its planned pods run', () => {
  test.each(rows)('$name', ({ reading, verdict }) => {
    const result = judgeAppConverged(appReading(reading), { contracts: [webContract], digests: appDigests });
    expect(result.kind === 'ready' ? 'ready' : `${result.kind} ${result.code}`).toBe(verdict);
  });

  test.each([
    [
      'a pod hidden behind a changed label',
      { pods: [webPod(), webPod({ name: 'x', uid: 'x', labels: {}, owners: [owner('StatefulSet', 's', 's-uid')] })] },
      'Pod x, controlled by StatefulSet s, runs the application (container web) under labels of its own.',
    ],
    [
      'a StatefulSet pod in our labels',
      { pods: [webPod({ owners: [owner('StatefulSet', 's', 's-uid')] })] },
      'Pod web-new-1 carries the labels of Deployment web but is controlled by StatefulSet s.',
    ],
    [
      'a naked pod in our labels',
      { pods: [webPod({ owners: [] })] },
      'Pod web-new-1 carries the labels of Deployment web but is controlled by nobody.',
    ],
    [
      'a pod that terminates for ever',
      { pods: [webPod(), oldPod({ terminating: true, finalizers: ['a/b', 'c/d'] })] },
      'old pod web-old-1 is still there, terminating, held by finalizer a/b, c/d',
    ],
    [
      'a second ReplicaSet',
      { replicaSets: [replicaSet(), oldReplicaSet({ replicas: 2, statusReplicas: 1 })] },
      'old web-old still has pods (2 wanted, 1 there)',
    ],
    [
      'a foreign ReplicaSet',
      { replicaSets: [replicaSet(), oldReplicaSet({ owners: [owner('Rollout', 'r', 'r')], replicas: 1 })] },
      'ReplicaSet web-old makes pods of Deployment web but is controlled by Rollout r.',
    ],
    [
      'a rollout that does not get on',
      { deployments: [deployment({ readyReplicas: 0, progressFailure: 'ProgressDeadlineExceeded: x' })] },
      'web: ready 0/1 (ProgressDeadlineExceeded: x)',
    ],
  ])('%s is told by name', (_, reading, detail) => {
    const result = judgeAppConverged(appReading(reading), { contracts: [webContract], digests: appDigests });
    expect(result.kind === 'ready' ? 'ready' : result.detail).toBe(detail);
  });

  test('the facts name each Deployment with its ReplicaSet and what its pods run', () => {
    expect(judgeAppConverged(appReading(), { contracts: [webContract], digests: appDigests })).toEqual({
      kind: 'ready',
      facts: [
        {
          name: 'web',
          uid: 'web-uid',
          generation: 2,
          readyReplicas: 1,
          replicaSet: { name: 'web-new', uid: 'web-new-uid' },
          pods: [
            {
              name: 'web-new-1',
              uid: 'web-new-1-uid',
              owner: 'ReplicaSet web-new (web-new-uid)',
              initContainers: [],
              containers: [{ name: 'web', reference: 'django-ray:tree-1', image: running, imageDigest: digestA }],
              restarts: 0,
            },
          ],
        },
      ],
    });
  });

  test('one container of two that is not ready is waited for, whatever the pod says of itself', () => {
    const containers = [container('web', appImage), container('side', 'side:1')];
    const planned = {
      ...webContract.template,
      spec: { containers: containers.map(({ name, image }) => ({ name, image })) },
    };
    const contract = { ...webContract, pod: { initContainers: [], containers }, template: planned };
    const hashed = { app: 'django-ray', component: 'web', 'pod-template-hash': 'new' };
    const side = status('side', 'docker.io/library/side:1', { imageId: digestB, ready: false });
    const reading = appReading({
      deployments: [deployment({ template: template({ containers }) })],
      replicaSets: [replicaSet({ template: template({ labels: hashed, containers }) })],
      pods: [webPod({ containers, statuses: [status('web', running), side] })],
    });
    expect(judgeAppConverged(reading, { contracts: [contract], digests: appDigests })).toMatchObject({
      kind: 'waiting',
      code: 'app-convergence.not-ready',
    });
  });

  test('all that is waited for is in one line', () => {
    const reading = appReading({
      deployments: [deployment({ readyReplicas: 0 })],
      pods: [webPod({ ready: false }), oldPod()],
    });
    const result = judgeAppConverged(reading, { contracts: [webContract], digests: appDigests });
    expect(result).toEqual({
      kind: 'waiting',
      code: 'app-convergence.not-ready',
      detail: 'web-new-1: Running; old pod web-old-1 is still there; web: ready 0/1',
    });
  });
});
