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

const rows: readonly { readonly name: string; readonly reading: Partial<AppReading>; readonly verdict: string }[] = [
  { name: 'the planned pod alone, behind its current ReplicaSet, is converged', reading: {}, verdict: 'ready' },
  {
    name: 'no Deployment yet is waited for',
    reading: { deployments: [], replicaSets: [], pods: [] },
    verdict: `waiting ${c}.pending`,
  },
  {
    name: 'a generation not observed yet is waited for',
    reading: { deployments: [deployment({ observedGeneration: 1 })] },
    verdict: `waiting ${c}.pending`,
  },
  {
    name: 'readyReplicas that lag are waited for',
    reading: { deployments: [deployment({ readyReplicas: 0 })] },
    verdict: `waiting ${c}.pending`,
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
    verdict: `waiting ${c}.pending`,
  },
  {
    name: 'an old ReplicaSet with pods is waited for',
    reading: { replicaSets: [replicaSet(), oldReplicaSet({ statusReplicas: 1 })] },
    verdict: `waiting ${c}.pending`,
  },
  {
    name: 'an old pod that terminates is waited for',
    reading: { pods: [webPod(), oldPod({ terminating: true })] },
    verdict: `waiting ${c}.pending`,
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
    verdict: `waiting ${c}.pending`,
  },
  {
    name: 'a container that is not ready is waited for',
    reading: { pods: [webPod({ ready: false })] },
    verdict: `waiting ${c}.pending`,
  },
  { name: 'a missing pod is waited for', reading: { pods: [] }, verdict: `waiting ${c}.pending` },
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
];

describe('the application has converged when exactly its planned pods run', () => {
  test.each(rows)('$name', ({ reading, verdict }) => {
    const result = judgeAppConverged(appReading(reading), { contracts: [webContract], digests: appDigests });
    expect(result.kind === 'ready' ? 'ready' : `${result.kind} ${result.code}`).toBe(verdict);
  });

  test('all that is waited for is in one line', () => {
    const reading = appReading({
      deployments: [deployment({ readyReplicas: 0 })],
      pods: [webPod({ ready: false }), oldPod()],
    });
    const result = judgeAppConverged(reading, { contracts: [webContract], digests: appDigests });
    expect(result).toEqual({
      kind: 'waiting',
      code: 'app-convergence.pending',
      detail: 'web-new-1: Running; old pod web-old-1 is still there; web: ready 0/1',
    });
  });
});
