import { describe, expect, test } from 'vitest';
import { creationFault } from '../../src/gate/rules/creationFault.js';

const judge = (text: string | undefined, leaving = false) =>
  creationFault({ layer: 'x', controller: 'ReplicaSet r', text, leaving });

describe('pods that a controller cannot make', () => {
  test.each([
    ['pods "r-1" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2', 'quota'],
    ['pods "r-1" is forbidden: failed quota: q: must specify limits.cpu for: web', 'quota'],
    ['pods "r-1" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot', 'pod-refused'],
    ['admission webhook "policy.example.com" denied the request: no', 'pod-refused'],
    ['Pod "r-1" is invalid: spec.containers[0].image: Required value', 'pod-refused'],
  ])('for good: %s', (text, code) => {
    const detail = `ReplicaSet r cannot make its pods: FailedCreate: ${text}`;
    expect(judge(`FailedCreate: ${text}`)).toEqual({ kind: 'failed', code: `x.${code}`, detail });
  });

  test.each([
    ['nothing was said', undefined],
    ['a webhook is away', 'Internal error occurred: failed calling webhook "x": connection refused'],
    ['an account is not there yet', 'pods "r-1" is forbidden: error looking up service account d/x: not found'],
  ])('for now: %s', (_, text) => {
    expect(judge(text)).toBeUndefined();
  });

  test('a quota makes room when pods leave; a refusal does not', () => {
    expect(judge('exceeded quota: q', true)).toBeUndefined();
    expect(judge('denied the request', true)).toMatchObject({ code: 'x.pod-refused' });
  });

  test('long words are cut', () => {
    expect(judge(`exceeded quota ${'x'.repeat(5000)}`)?.detail.length).toBeLessThan(1100);
  });
});
