import { describe, expect, test } from 'vitest';
import type { PodIdentity } from '../../src/gate/model/identities.js';
import { type PinnedKind, type PinSet, pinsOf } from '../../src/gate/model/pins.js';
import { judgePins, type ObjectFacts, type PinReading } from '../../src/gate/rules/pins.js';
import { digestA, digestB, owner, pod, status } from '../builders/pods.js';

const identity = (name: string, fields: Partial<PodIdentity> = {}): PodIdentity => ({
  name,
  uid: `${name}-uid`,
  initContainers: [],
  containers: [{ name: 'main', image: 'docker.io/library/app:1', imageDigest: digestA }],
  restarts: 0,
  ...fields,
});

/** What setup, ray and app-convergence pin: a Job, a RayCluster with one pod, a Deployment with a ReplicaSet and one pod. */
const pins: PinSet = (() => {
  const sets = [
    pinsOf('setup', { jobUid: 'job-uid', pod: identity('setup'), result: {} as never }),
    pinsOf('ray', {
      restart: 'performed',
      retiredUids: [],
      clusterUid: 'cluster-uid',
      pods: [{ ...identity('head', { restarts: 2 }), role: 'head' }],
      heads: 1,
      workers: 0,
      podsSha256: '',
    }),
    pinsOf('app-convergence', {
      deployments: [
        {
          name: 'web',
          uid: 'web-uid',
          generation: 1,
          readyReplicas: 1,
          replicaSet: { name: 'web-new', uid: 'set-uid' },
          pods: [identity('web-1', { initContainers: [{ name: 'init', image: 'i', imageDigest: digestB }] })],
        },
      ],
    }),
  ];
  return { objects: sets.flatMap((set) => set.objects), pods: sets.flatMap((set) => set.pods) };
})();

const facts = (name: string, uid: string, fields: Partial<ObjectFacts> = {}): ObjectFacts => ({
  name,
  uid,
  terminating: false,
  ownerUid: undefined,
  replicas: 1,
  ...fields,
});
const job = facts('django-setup', 'job-uid');
const ray = facts('ray', 'cluster-uid');
const web = facts('web', 'web-uid');
const set = facts('web-new', 'set-uid', { ownerUid: 'web-uid' });
const spent = facts('web-old', 'old-uid', { ownerUid: 'web-uid', replicas: 0 });
const head = pod({
  name: 'head',
  owners: [owner('RayCluster', 'ray', 'cluster-uid')],
  statuses: [status('main', 'app:1', { restartCount: 2 })],
});
const webPod = pod({
  name: 'web-1',
  owners: [owner('ReplicaSet', 'web-new', 'set-uid')],
  initStatuses: [status('init', 'i', { imageId: digestB })],
});
const stranger = pod({ name: 'postgres', owners: [owner('ReplicaSet', 'postgres-1', 'postgres-set')] });

const reading = (
  pods: PinReading['pods'] = [head, webPod, stranger],
  objects: Partial<Record<PinnedKind, readonly ObjectFacts[] | undefined>> = {},
): PinReading => ({
  pods,
  objects: { Job: [job], RayCluster: [ray], Deployment: [web], ReplicaSet: [set, spent], ...objects },
});
const changed = (layer: string, what: string) => ({
  kind: 'failed',
  code: 'watch.identity-changed',
  detail: `Since layer ${layer} proved it, ${what}: this run can prove nothing more; run again, which begins a new one.`,
});
const unchanged = { kind: 'ready', facts: {} };

describe('what was proven', () => {
  const same: readonly [string, PinReading][] = [
    ['everything is as it was', reading()],
    ['a pod is not Ready for a moment', reading([{ ...head, ready: false, phase: 'Running' }, webPod])],
    ['a pod of nobody proven comes and goes', reading([head, webPod, pod({ name: 'grafana' })])],
    ['the kubelet has not said again what runs', reading([{ ...head, statuses: [] }, webPod])],
    [
      'the kubelet has not said again which image runs',
      reading([{ ...head, statuses: [status('main', '', { imageId: '', restartCount: 2 })] }, webPod]),
    ],
    ['no pod can be read just now', { ...reading(), pods: undefined }],
    ['a kind cannot be read just now', reading(undefined, { Deployment: undefined, ReplicaSet: undefined })],
    [
      'a ReplicaSet of another Deployment is new',
      reading(undefined, { ReplicaSet: [set, facts('g', 'g', { ownerUid: 'x' })] }),
    ],
  ];
  test.each(same)('is the same while %s', (_, now) => {
    expect(judgePins(now, pins)).toEqual(unchanged);
  });

  const rows: readonly [string, PinReading, object][] = [
    ['the setup Job is gone', reading(undefined, { Job: [] }), changed('setup', 'Job django-setup (job-uid) is gone')],
    [
      'the setup Job was replaced',
      reading(undefined, { Job: [facts('django-setup', 'other')] }),
      changed('setup', 'Job django-setup has UID other instead of job-uid'),
    ],
    [
      'the RayCluster is being deleted',
      reading(undefined, { RayCluster: [{ ...ray, terminating: true }] }),
      changed('ray', 'RayCluster ray is being deleted'),
    ],
    [
      'the Deployment was replaced',
      reading(undefined, { Deployment: [facts('web', 'other')] }),
      changed('app-convergence', 'Deployment web has UID other instead of web-uid'),
    ],
    [
      'the ReplicaSet has lost its owner',
      reading(undefined, { ReplicaSet: [{ ...set, ownerUid: undefined }] }),
      changed('app-convergence', 'ReplicaSet web-new is controlled by nobody instead of web-uid'),
    ],
    [
      'a Deployment has been taken over',
      reading(undefined, { Deployment: [{ ...web, ownerUid: 'thief' }] }),
      changed('app-convergence', 'Deployment web is controlled by thief instead of nobody'),
    ],
    [
      'the Deployment rolls out anew, before any pod of it is there',
      reading(undefined, { ReplicaSet: [set, { ...spent, replicas: 1 }] }),
      changed('app-convergence', 'Deployment web rolls out ReplicaSet web-old'),
    ],
    ['a pod is gone', reading([webPod]), changed('ray', 'pod head (head-uid) is gone')],
    [
      'a pod was replaced under its name',
      reading([{ ...head, uid: 'other' }, webPod]),
      changed('ray', 'pod head (head-uid) is gone'),
    ],
    [
      'a pod is being deleted',
      reading([{ ...head, terminating: true }, webPod]),
      changed('ray', 'pod head is being deleted'),
    ],
    [
      'a pod has another owner',
      reading([{ ...head, owners: [owner('RayCluster', 'ray', 'thief')] }, webPod]),
      changed('ray', 'pod head is controlled by thief instead of cluster-uid'),
    ],
    [
      'a pod has no owner',
      reading([head, { ...webPod, owners: [] }]),
      changed('app-convergence', 'pod web-1 is controlled by nobody instead of set-uid'),
    ],
    [
      'a pod has got an ephemeral container',
      reading([{ ...head, ephemeralContainers: 1 }, webPod]),
      changed('ray', 'pod head has an ephemeral container'),
    ],
    [
      'a container runs another image',
      reading([{ ...head, statuses: [status('main', 'app:1', { imageId: digestB, restartCount: 2 })] }, webPod]),
      changed('ray', `container main of pod head runs ${digestB} instead of ${digestA}`),
    ],
    [
      'an init container ran another image',
      reading([head, { ...webPod, initStatuses: [status('init', 'i', { imageId: 'strange' })] }]),
      changed('app-convergence', `container init of pod web-1 runs strange instead of ${digestB}`),
    ],
    [
      'a container restarted, with what it ended with',
      reading([
        {
          ...head,
          statuses: [
            status('main', 'app:1', {
              restartCount: 3,
              lastTerminated: { exitCode: 137, reason: 'OOMKilled', message: '' },
            }),
          ],
        },
        webPod,
      ]),
      changed('ray', 'a container of pod head restarted (2 -> 3) after exit code 137 OOMKilled'),
    ],
    [
      'there is a pod too many under a proven owner',
      reading([head, webPod, { ...webPod, name: 'web-2', uid: 'web-2-uid' }]),
      changed('app-convergence', 'pod web-2 (web-2-uid) of ReplicaSet web-new is new'),
    ],
  ];
  test.each(rows)('has changed when %s', (_, now, verdict) => {
    expect(judgePins(now, pins)).toEqual(verdict);
  });

  test('is nothing for a layer that proves no identity', () => {
    expect(pinsOf('drain', { mode: 'wait', empty: [], notPresent: [] })).toEqual({ objects: [], pods: [] });
  });
});
