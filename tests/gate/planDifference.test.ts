import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintOf, type PlanParts, type PlanPartsSource, planPartsOf } from '../../src/gate/model/planParts.js';
import { planDifference } from '../../src/gate/rules/planDifference.js';
import { planParts } from '../builders/step.js';

const proven = planParts({ objects: { a: '1', b: '1', c: '1', d: '1' } });
const settings = (fields: Record<string, string>) => ({ ...proven, settings: { ...proven.settings, ...fields } });
const objects = (fields: Record<string, string>) => ({ ...proven, objects: { ...proven.objects, ...fields } });

describe('why a plan is another one than what was proven', () => {
  const rows: readonly [string, PlanParts, string | undefined][] = [
    ['nothing differs', proven, undefined],
    ['the attempt is set', settings({ attempt: '2' }), 'raygate:attempt is 2 instead of not set'],
    [
      'a setting is taken back',
      { ...proven, settings: { profile: 'lab' } },
      'raygate:rayRestart is not set instead of required',
    ],
    [
      'two settings differ, each is named in the order of their names',
      settings({ rayRestart: 'skip', attempt: '2' }),
      'raygate:attempt is 2 instead of not set; raygate:rayRestart is skip instead of required',
    ],
    [
      'another tree comes with other objects, which say nothing more',
      { ...objects({ a: '2' }), sourceTree: '9'.repeat(40), releaseTag: 'tree-9' },
      'the source tree is 999999999999 instead of 111111111111',
    ],
    [
      'another tree and another attempt are both named',
      { ...settings({ attempt: '2' }), sourceTree: '9'.repeat(40) },
      'the source tree is 999999999999 instead of 111111111111; raygate:attempt is 2 instead of not set',
    ],
    ['the release alone', { ...proven, releaseTag: 'tree-2' }, 'the release is tree-2 instead of tree-1'],
    [
      'another cluster on the same address',
      { ...proven, cluster: { ...proven.cluster, certificateAuthoritySha256: 'x' } },
      'the cluster is another one (it has another certificate authority)',
    ],
    [
      'another KubeRay on the same cluster',
      { ...proven, cluster: { ...proven.cluster, kubeRay: '1.7.0' } },
      'KubeRay is 1.7.0 instead of 1.6.2',
    ],
    [
      'the same cluster on another address',
      { ...proven, cluster: { ...proven.cluster, server: 'https://localhost:1' } },
      'the API server is https://localhost:1 instead of https://127.0.0.1:6443',
    ],
    ['one object', objects({ b: '2' }), '1 planned object differs: b'],
    ['a new object', objects({ e: '1' }), '1 planned object differs: e (new)'],
    [
      'an object that is gone',
      { ...proven, objects: { a: '1', b: '1', c: '1' } },
      '1 planned object differs: d (no longer planned)',
    ],
    [
      'one more than are named',
      objects({ a: '2', b: '2', c: '2', d: '2' }),
      '4 planned objects differ: a, b, c and 1 more',
    ],
    [
      'the first three of many objects',
      objects({ a: '2', b: '2', c: '2', d: '2', e: '1' }),
      '5 planned objects differ: a, b, c and 2 more',
    ],
    [
      'a profile, with the objects that it changed',
      { ...objects({ a: '2' }), settings: { ...proven.settings, profile: 'full' } },
      'raygate:profile is full instead of lab; 1 planned object differs: a',
    ],
  ];
  it.each(rows)('%s', (_name, planned, difference) => {
    expect(planDifference(proven, planned)).toBe(difference);
  });

  const object = { identity: 'v1/ConfigMap/a', phase: 'workload', manifest: { data: { a: '1' } } };
  const source = {
    pinned: { source: { tree: 't' }, release: { tag: 'r' } },
    objects: [object],
    attempt: undefined,
    profile: 'lab',
    rayRestart: 'required',
    runtimeEnvAccess: 'RWX',
  };
  const sources: readonly [string, Partial<PlanPartsSource>, string | undefined][] = [
    ['is not said of the same again', {}, undefined],
    ['is a new attempt', { attempt: '2' }, 'raygate:attempt is 2 instead of not set'],
    ['is another profile', { profile: 'full' }, 'raygate:profile is full instead of lab'],
    ['is another restart', { rayRestart: 'skip' }, 'raygate:rayRestart is skip instead of required'],
    ['is another access', { runtimeEnvAccess: 'RWO' }, 'raygate:runtimeEnvAccess is RWO instead of RWX'],
    ['is another tree', { pinned: { ...source.pinned, source: { tree: 'u' } } }, 'the source tree is u instead of t'],
    ['is another release', { pinned: { ...source.pinned, release: { tag: 's' } } }, 'the release is s instead of r'],
    [
      'is the content of an object',
      { objects: [{ ...object, manifest: { data: { a: '2' } } }] },
      '1 planned object differs: v1/ConfigMap/a',
    ],
  ];
  it.each(sources)('%s of what preflight was given', (_name, fields, difference) => {
    const { cluster } = proven;
    expect(planDifference(planPartsOf(source, cluster), planPartsOf({ ...source, ...fields }, cluster))).toBe(
      difference,
    );
  });

  it('is said exactly when the fingerprints differ', () => {
    const word = fc.constantFrom('x', 'y');
    const parts: fc.Arbitrary<PlanParts> = fc.record({
      sourceTree: word,
      releaseTag: word,
      settings: fc.dictionary(fc.constantFrom('attempt', 'profile'), word),
      cluster: fc.record({ server: word, certificateAuthoritySha256: word, kubeRay: word }),
      objects: fc.dictionary(fc.constantFrom('a', 'b'), word),
    });
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(planDifference(one, other) === undefined).toBe(fingerprintOf(one) === fingerprintOf(other));
      }),
    );
  });
});
