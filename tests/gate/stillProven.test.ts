import { describe, expect, test } from 'vitest';
import type { PodIdentity } from '../../src/gate/model/identities.js';
import { identityDifference, type ProvenIdentity } from '../../src/gate/rules/stillProven.js';
import { digestA, digestB } from '../builders/pods.js';

const one = (name: string, fields: Partial<PodIdentity> = {}): PodIdentity => ({
  name,
  uid: `${name}-uid`,
  owner: '',
  initContainers: [],
  containers: [{ name: 'main', reference: 'x:1', image: 'x:1', imageDigest: digestA }],
  restarts: 0,
  ...fields,
});
const head = (fields: Partial<PodIdentity> = {}) => ({ ...one('head', fields), role: 'head' });

function identity(
  fields: {
    pods?: readonly PodIdentity[];
    head?: ReturnType<typeof head>;
    clusterUid?: string;
    setup?: string;
    replicaSet?: string;
    setupPod?: string;
    supporting?: ProvenIdentity['supporting'];
  } = {},
): ProvenIdentity {
  return {
    ray: { clusterUid: fields.clusterUid ?? 'ray-uid', pods: [fields.head ?? head()], heads: 1, workers: 0 },
    deployments: [
      {
        name: 'web',
        uid: 'web-uid',
        generation: 1,
        readyReplicas: 1,
        replicaSet: { name: 'web-1', uid: fields.replicaSet ?? 'rs-uid' },
        pods: fields.pods ?? [one('web-1')],
      },
    ],
    supporting: fields.supporting ?? [],
    setup: { jobUid: fields.setup ?? 'job-uid', pod: one('setup', { uid: fields.setupPod ?? 'setup-uid' }) },
  };
}

describe('whether what was proven still lives', () => {
  test.each([
    ['nothing changed', identity(), undefined],
    ['the RayCluster was replaced', identity({ clusterUid: 'other' }), 'RayCluster has UID other instead of ray-uid'],
    ['the setup Job was replaced', identity({ setup: 'other' }), 'the setup Job has UID other'],
    ['the pod of setup was replaced', identity({ setupPod: 'other' }), 'pod setup (setup-uid) is gone'],
    ['a Ray pod was replaced', identity({ head: head({ uid: 'other' }) }), 'pod head (head-uid) is gone'],
    ['a Ray container restarted', identity({ head: head({ restarts: 1 }) }), 'restarted (0 -> 1)'],
    ['an application pod was replaced', identity({ pods: [one('web-2')] }), 'pod web-1 (web-1-uid) is gone'],
    ['a pod was added', identity({ pods: [one('web-1'), one('web-2')] }), 'pod web-2 (web-2-uid) is new'],
    [
      'an image was substituted',
      identity({
        pods: [one('web-1', { containers: [{ name: 'main', reference: 'x:1', image: 'x:1', imageDigest: digestB }] })],
      }),
      `pod web-1 runs main=${digestB} instead of main=${digestA}`,
    ],
    ['another revision rolled out', identity({ replicaSet: 'other' }), 'runs ReplicaSet web-1 instead of web-1'],
    ['a Deployment is gone', { ...identity(), deployments: [] }, 'Deployment web is gone'],
  ])('%s', (_, live, difference) => {
    const result = identityDifference(identity(), live);
    if (difference === undefined) expect(result).toBeUndefined();
    else expect(result).toContain(difference);
  });

  test('what the application stands on counts as well', () => {
    const postgres = {
      name: 'postgres',
      uid: 'postgres-uid',
      generation: 1,
      readyReplicas: 1,
      replicaSet: { name: 'postgres-1', uid: 'rs-uid' },
      pods: [one('postgres-1')],
    };
    const crashed = { ...postgres, pods: [one('postgres-1', { restarts: 1 })] };
    expect(identityDifference(identity({ supporting: [postgres] }), identity({ supporting: [crashed] }))).toContain(
      'pod postgres-1 restarted (0 -> 1)',
    );
  });
});
