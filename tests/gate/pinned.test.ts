import { describe, expect, test } from 'vitest';
import type { Facts } from '../../src/gate/model/observation.js';
import type { Pin } from '../../src/gate/model/pin.js';
import { pinsOfLayers } from '../../src/gate/rules/layerPins.js';
import { pinDifference } from '../../src/gate/rules/pinned.js';
import { localImage, podRunning } from '../builders/images.js';
import { runPlan, tree } from '../builders/step.js';

const pin = (subject: string, fields: Readonly<Record<string, string>>): Pin => ({ subject, fields });
const web = pin('pod web-1', { uid: 'u', restarts: '0' });

describe('a pin that no longer holds', () => {
  test.each([
    ['nothing is pinned', [], [], undefined],
    ['all is as it was', [['ray', [web]]], [web], undefined],
    ['there is more than was pinned', [['ray', [web]]], [web, pin('pod x', {})], undefined],
    [
      'a field is new that nobody pinned',
      [['ray', [web]]],
      [pin('pod web-1', { ...web.fields, node: 'n' })],
      undefined,
    ],
    [
      'a field is another',
      [['ray', [web]]],
      [pin('pod web-1', { uid: 'u', restarts: '1' })],
      'pod web-1: restarts 0 -> 1 (pinned by ray)',
    ],
    [
      'a field is no more',
      [['ray', [web]]],
      [pin('pod web-1', { uid: 'u' })],
      'pod web-1: restarts 0 -> nothing (pinned by ray)',
    ],
    ['the subject is gone', [['ray', [web]]], [], 'pod web-1: gone (pinned by ray)'],
    [
      'two layers pinned different things: between them it changed',
      [
        ['ray', [pin('pod web-1', { restarts: '0' })]],
        ['image-identity', [pin('pod web-1', { restarts: '1' })]],
      ],
      [pin('pod web-1', { restarts: '1' })],
      'pod web-1: restarts 0 -> 1 (pinned by ray)',
    ],
    [
      'only the later layer pinned it',
      [
        ['ray', [web]],
        ['final-identity', [pin('Secret s', { digest: 'a' })]],
      ],
      [web, pin('Secret s', { digest: 'b' })],
      'Secret s: digest a -> b (pinned by final-identity)',
    ],
  ] as readonly [string, readonly [string, readonly Pin[]][], readonly Pin[], string | undefined][])(
    '%s',
    (_, layers, live, expected) => {
      const pinned = layers.map(([layer, pins]) => ({ layer, pins }));
      expect(pinDifference(pinned, live)).toBe(expected);
    },
  );
});

describe('what each layer pins', () => {
  const plan = runPlan('/nowhere');
  const pod = podRunning('p-1', 'x:1', 'sha256:x');
  const deployment = {
    name: 'web',
    uid: 'd',
    generation: 2,
    readyReplicas: 1,
    replicaSet: { name: 'web-1', uid: 'r' },
    pods: [pod],
  };
  const grafana = { ...deployment, name: 'grafana', replicaSet: { name: 'grafana-1', uid: 's' }, pods: [] };
  const grafanaPins = [
    pin('Deployment grafana', { uid: 'd', generation: '2', 'being deleted': 'no' }),
    pin('ReplicaSet grafana-1', { uid: 's' }),
  ];
  const claims = [{ name: 'data', uid: 'c', volume: 'v' }];
  const claimPin = pin('PersistentVolumeClaim data', { uid: 'c', volume: 'v' });
  const after = { claims, postgres: { kind: 'absent' }, namespaces: [], docker: { images: [], volumes: [] } };
  const of = (facts: object) => pinsOfLayers(plan, facts).filter(({ layer }) => layer !== 'preflight');
  const podPin = pin('pod p-1', {
    uid: 'p-1-uid',
    owner: '',
    restarts: '0',
    'being deleted': 'no',
    'image of main': 'sha256:x',
  });
  const webPins = [
    pin('Deployment web', { uid: 'd', generation: '2', 'being deleted': 'no' }),
    pin('ReplicaSet web-1', { uid: 'r' }),
    podPin,
  ];
  const ray = { clusterUid: 'c', pods: [{ ...pod, role: 'head' }], heads: 1, workers: 0 };

  test.each([
    [
      'images',
      { app: localImage('a:1', { id: 'i' }), legacy: localImage('b:1', { id: 'j' }) },
      [pin('image a:1', { id: 'i' }), pin('image b:1', { id: 'j' })],
    ],
    ['drain', { before: after }, [claimPin]],
    ['setup', { jobUid: 'j', pod }, [pin('Job django-setup', { uid: 'j' }), podPin]],
    ['workloads', { rayClusterUid: 'c', webDeploymentUid: 'd' }, [pin('RayCluster ray', { uid: 'c' })]],
    ['ray', ray, [pin('RayCluster ray', { uid: 'c' }), podPin]],
    [
      'rollouts',
      { deployments: [{ name: 'web', uid: 'd', generation: 2 }] },
      [pin('Deployment web', { uid: 'd', generation: '2' })],
    ],
    ['app-convergence', { deployments: [deployment] }, webPins],
    ['image-identity', { supporting: [deployment], setupPod: pod, claims }, [...webPins, podPin, claimPin]],
    [
      'final-identity',
      { identity: { ray, deployments: [deployment], supporting: [grafana], setup: { jobUid: 'j', pod } }, after },
      [
        pin('RayCluster ray', { uid: 'c' }),
        pin('Job django-setup', { uid: 'j' }),
        ...webPins,
        ...grafanaPins,
        podPin,
        podPin,
        claimPin,
      ],
    ],
  ] as readonly [keyof Facts, object, readonly Pin[]][])('%s', (layer, facts, pins) => {
    expect(of({ [layer]: facts })).toEqual([{ layer, pins }]);
  });

  test('preflight: the source and the kubeconfig', () => {
    expect(pinsOfLayers(plan, {})).toEqual([
      {
        layer: 'preflight',
        pins: [
          pin('source', { state: 'clean', commit: '2'.repeat(40), tree }),
          pin('kubeconfig', { sha256: '0'.repeat(64) }),
        ],
      },
    ]);
  });
});
