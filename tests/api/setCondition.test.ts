import { expect, test } from 'vitest';
import type { Condition } from '../../src/api/conditions.js';
import { setCondition } from '../../src/api/setCondition.js';

const condition = (over: Partial<Condition> = {}): Condition => ({
  type: 'Draining',
  status: 'True',
  reason: 'AcceptedWork',
  message: 'one Job',
  lastTransitionTime: 'then',
  ...over,
});
const other = condition({ type: 'RBACReady' });
const { lastTransitionTime: _, ...next } = condition();

test.each<[string, readonly Condition[], object, readonly Condition[]]>([
  ['is added as the last', [other], next, [other, condition({ lastTransitionTime: 'now' })]],
  [
    'moves its time with its status',
    [condition(), other],
    { ...next, status: 'False' },
    [condition({ status: 'False', lastTransitionTime: 'now' }), other],
  ],
  [
    'keeps its time when only words change',
    [condition()],
    { ...next, reason: 'Drained', message: 'x' },
    [condition({ reason: 'Drained', message: 'x' })],
  ],
  ['that is equal changes nothing', [other, condition()], next, [other, condition()]],
])('a condition %s', (_case, before, given, expected) => {
  expect(setCondition(before, { ...next, ...given }, 'now')).toEqual(expected);
});
