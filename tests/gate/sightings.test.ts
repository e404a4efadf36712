import { describe, expect, test } from 'vitest';
import type { View } from '../../src/cluster/watchStore.js';
import { withHeld } from '../../src/gate/flows/sightings.js';
import type { PodFacts } from '../../src/gate/model/podFacts.js';
import { pod } from '../builders/pods.js';
import { runPlan } from '../builders/step.js';

const view = {} as View;

function watched(deadlines: Readonly<Record<string, number>> = {}) {
  let now = 0;
  let pods: readonly PodFacts[] = [];
  const read = withHeld({ plan: runPlan('/nowhere', { deadlines }) }, () => ({ pods }), { now: () => now });
  return (atSeconds: number, ...these: readonly PodFacts[]) => {
    now = atSeconds * 1000;
    pods = these;
    const { seconds, limitSeconds } = read(view).held;
    return { limitSeconds, held: Object.fromEntries(seconds) };
  };
}

const unschedulable = pod({ name: 'a', unschedulable: 'x' });
const terminating = pod({ name: 'a', terminating: true, unschedulable: 'x' });

describe('how long pods have been held up', () => {
  test('counts from the first look that saw them so', () => {
    const at = watched();
    expect(at(100, unschedulable).held).toEqual({ 'a-uid': 0 });
    expect(at(130, unschedulable, pod({ name: 'b', terminating: true })).held).toEqual({ 'a-uid': 30, 'b-uid': 0 });
    expect(at(140, unschedulable).held).toEqual({ 'a-uid': 40 });
  });

  test('starts anew when the pod got on in between, and when it is held up otherwise', () => {
    const at = watched();
    at(0, unschedulable);
    expect(at(10, pod({ name: 'a' })).held).toEqual({});
    expect(at(20, unschedulable).held).toEqual({ 'a-uid': 0 });
    expect(at(30, terminating).held).toEqual({ 'a-uid': 0 });
    expect(at(35, terminating).held).toEqual({ 'a-uid': 5 });
  });

  test('is another matter for a pod of the same name with another UID', () => {
    const at = watched();
    at(0, unschedulable);
    expect(at(10, { ...unschedulable, uid: 'other' }).held).toEqual({ other: 0 });
  });

  test('has its limit from the settings', () => {
    expect(watched()(0).limitSeconds).toBe(120);
    expect(watched({ stuck: 5 })(0).limitSeconds).toBe(5);
  });
});
