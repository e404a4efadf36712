import { describe, expect, test } from 'vitest';
import type { PodIdentity } from '../../src/gate/model/identities.js';
import { podsDifference } from '../../src/gate/rules/podsDifference.js';
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
const other = [{ name: 'main', reference: 'x:1', image: 'x:1', imageDigest: digestB }];

describe('whether the pods that were proven still live', () => {
  test.each([
    ['nothing changed', [one('web')], undefined],
    ['a pod was replaced', [one('web', { uid: 'x' })], 'pod web (web-uid) is gone'],
    ['a pod was added', [one('web'), one('more')], 'pod more (more-uid) is new'],
    ['a container restarted', [one('web', { restarts: 1 })], 'a container of pod web restarted (0 -> 1)'],
    [
      'an image was substituted',
      [one('web', { containers: other })],
      `pod web runs main=${digestB} instead of main=${digestA}`,
    ],
    [
      'the image of an init container was substituted',
      [one('web', { initContainers: other })],
      `pod web runs main=${digestB},main=${digestA} instead of main=${digestA}`,
    ],
  ])('%s', (_, live, difference) => {
    expect(podsDifference([one('web')], live)).toBe(difference);
  });
});
