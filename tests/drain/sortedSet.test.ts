import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  emptySet,
  firstMembers,
  memberOf,
  members,
  membersFrom,
  type SortedSet,
  setOf,
  withMember,
  withoutMember,
} from '../../src/drain/index/sortedSet.js';

interface Pair {
  readonly key: number;
  readonly value: string;
}
const order = (a: { key: number }, b: { key: number }) => a.key - b.key;
const pair = fc.record({ key: fc.integer({ min: 0, max: 40 }), value: fc.string({ maxLength: 3 }) });
const sound = (set: SortedSet<Pair>) =>
  set.chunks.every((chunk) => chunk.length > 0 && chunk.length <= 512) && [...members(set)].length === set.size;

describe('a sorted set', { timeout: 60_000 }, () => {
  it('of values is their last of each key, in order', () => {
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        const naive = new Map(pairs.map((each) => [each.key, each]));
        const set = setOf(pairs, order);
        expect([...members(set)]).toEqual([...naive.values()].sort(order));
        expect(sound(set)).toBe(true);
      }),
    );
  });

  it('answers as a map does after any changes, and no change touches an earlier set', () => {
    const change = fc.oneof(
      pair.map((each) => ({ put: each })),
      fc.integer({ min: 0, max: 40 }).map((key) => ({ drop: key })),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 120 }), (changes) => {
        const naive = new Map<number, Pair>();
        let set = emptySet<Pair>();
        for (const each of changes) {
          const before = set;
          const was = [...members(before)];
          if ('put' in each) {
            naive.set(each.put.key, each.put);
            set = withMember(set, each.put, order);
          } else {
            if (!naive.delete(each.drop)) expect(withoutMember(set, { key: each.drop }, order)).toBe(set);
            set = withoutMember(set, { key: each.drop }, order);
          }
          expect([...members(before)]).toEqual(was);
        }
        const wanted = [...naive.values()].sort(order);
        expect([...members(set)]).toEqual(wanted);
        expect(sound(set)).toBe(true);
        for (let key = -1; key <= 41; key += 1) {
          expect(memberOf(set, { key }, order)).toBe(naive.get(key));
          expect([...membersFrom(set, { key }, order)]).toEqual(wanted.filter((each) => each.key >= key));
        }
        expect(firstMembers(set, 5)).toEqual(wanted.slice(0, 5));
      }),
      { numRuns: 60 },
    );
  });

  it('holds 20,000 members added in any order, and shares nearly all of them with the set before', () => {
    let set = emptySet<Pair>();
    for (let at = 0; at < 20_000; at += 1) set = withMember(set, { key: (at * 7919) % 20_000, value: '' }, order);
    expect(set.size).toBe(20_000);
    expect([...members(set)].map((each) => each.key)).toEqual(Array.from({ length: 20_000 }, (_, at) => at));
    expect(sound(set)).toBe(true);
    const next = withMember(set, { key: 9_999.5, value: '' }, order);
    expect(next.chunks.filter((chunk) => !set.chunks.includes(chunk)).length).toBeLessThanOrEqual(2);
    expect(firstMembers(set, 1_000).map((each) => each.key)).toEqual(Array.from({ length: 1_000 }, (_, at) => at));
  });
});
