import { describe, expect, test } from 'vitest';
import { GateError } from '../../src/core/gateError.js';
import { openOnce } from '../../src/core/openOnce.js';
import { guardedCluster } from '../../src/gate/provider/guardedCluster.js';
import { createRunGuard } from '../../src/gate/provider/runGuard.js';
import { fakeCluster } from '../fakes/cluster.js';

const gone = (code: string) => new GateError({ layer: 'ray', code, message: code });

describe('what ends a run', () => {
  test('ends work that would wait for ever, at once', async () => {
    const guard = createRunGuard();
    const work = guard.during(new Promise(() => {}));
    guard.fail(gone('a'));
    await expect(work).rejects.toMatchObject({ code: 'a' });
  });

  test('is what failed first', () => {
    const ended: string[] = [];
    const guard = createRunGuard((error) => ended.push(error.code));
    guard.fail(gone('a'));
    guard.fail(gone('b'));
    expect([guard.failure?.code, ended]).toEqual(['a', ['a']]);
  });

  test('ends work that begins later, and work that fails of it says nothing more', async () => {
    const guard = createRunGuard();
    guard.fail(gone('a'));
    await expect(guard.during(Promise.reject(new Error('later')))).rejects.toMatchObject({ code: 'a' });
  });

  test('leaves alone what ends by itself', async () => {
    const guard = createRunGuard();
    expect(await guard.during(Promise.resolve(5))).toBe(5);
    await expect(guard.during(Promise.reject(gone('own')))).rejects.toMatchObject({ code: 'own' });
  });
});

describe('a guarded cluster', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'django-ray' } };
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'django-ray' };
  const options = { fieldManager: 'raygate' };

  test('sends no write that is not allowed, and reads all the same', async () => {
    const bare = fakeCluster();
    const cluster = guardedCluster(bare, () => Promise.reject(gone('lost')));
    await expect(cluster.create(object, options)).rejects.toMatchObject({ code: 'lost' });
    await expect(cluster.apply(object, options)).rejects.toMatchObject({ code: 'lost' });
    await expect(cluster.patch(ref, {}, { ...options, type: 'merge' })).rejects.toMatchObject({ code: 'lost' });
    await expect(cluster.remove(ref)).rejects.toMatchObject({ code: 'lost' });
    expect(bare.mutations).toEqual([]);
    expect(await cluster.get(ref)).toEqual({ kind: 'absent' });
  });

  test('passes on what is allowed', async () => {
    const bare = fakeCluster();
    const cluster = guardedCluster(bare, async () => {});
    await cluster.create(object, options);
    expect(await cluster.remove(ref)).toBe('deleted');
    expect(bare.mutations).toHaveLength(2);
  });
});

describe('what is opened once', () => {
  test('is the same for all who ask, and opened anew only when that failed', async () => {
    let opened = 0;
    const shared = openOnce(async (name: string) => {
      opened += 1;
      if (opened === 1) throw new Error('no');
      return name;
    });
    expect(shared.current).toBeUndefined();
    await expect(Promise.all([shared.get('a'), shared.get('b')])).rejects.toThrow('no');
    expect(await Promise.all([shared.get('c'), shared.get('d')])).toEqual(['c', 'c']);
    expect([opened, await shared.current]).toEqual([2, 'c']);
  });
});
