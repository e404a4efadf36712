import { describe, expect, test } from 'vitest';
import { type NamespaceContent, namespaceFault } from '../../src/gate/rules/namespaceBounds.js';

const thing = (name: string, uid = `${name}-uid`) => ({ name, uid });
const many = (count: number) => Array.from({ length: count }, (_, i) => thing(`x-${i}`));
const judge = (content: Partial<NamespaceContent>) =>
  namespaceFault({ deployments: [], replicaSets: [], pods: [], ...content });

describe('a reading of the namespace', () => {
  test.each([
    ['empty', {}],
    ['of as much as is allowed', { replicaSets: many(512), pods: many(512) }],
    [
      'with one name in several kinds',
      { deployments: [thing('a')], replicaSets: [thing('a', 'b')], pods: [thing('a', 'c')] },
    ],
    ['with the longest names and UIDs', { pods: [thing('n'.repeat(253), 'u'.repeat(128))] }],
  ])('that is %s can be judged', (_, content) => {
    expect(judge(content)).toBeUndefined();
  });

  test.each<[string, Partial<NamespaceContent>, string, string]>([
    ['too many pods', { pods: many(513) }, 'too-many', 'The namespace has 513 pods, more than 512.'],
    [
      'too many ReplicaSets',
      { replicaSets: many(513) },
      'too-many',
      'The namespace has 513 ReplicaSets, more than 512.',
    ],
    ['a name twice', { pods: [thing('a', '1'), thing('a', '2')] }, 'identity', 'Pod a is there twice.'],
    [
      'a UID twice',
      { deployments: [thing('a', '1'), thing('b', '1')] },
      'identity',
      'Deployment b has the UID 1 of another one.',
    ],
    ['no UID', { replicaSets: [thing('a', '')] }, 'identity', 'ReplicaSet a has no usable UID.'],
    ['a UID that is too long', { pods: [thing('a', 'u'.repeat(129))] }, 'identity', 'Pod a has no usable UID.'],
    ['no name', { pods: [thing('', '1')] }, 'identity', 'Pod  has no usable name.'],
    [
      'a name that is too long',
      { pods: [thing('n'.repeat(254))] },
      'identity',
      `Pod ${'n'.repeat(254)} has no usable name.`,
    ],
  ])('with %s is refused', (_, content, code, detail) => {
    expect(judge(content)).toEqual({ kind: 'failed', code: `app-convergence.${code}`, detail });
  });
});
