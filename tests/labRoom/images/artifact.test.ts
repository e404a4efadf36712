import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Artifact, artifactPath, ensureArtifact, sweepArtifacts } from '../../../src/lab/images/artifact.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-artifact-'));
});
afterEach(() => rm(folder, { recursive: true }));

const say = () => {};
function artifact(make: Artifact['make'], key = 'k1'): Artifact {
  return { name: 'thing', extension: 'tar', what: 'thing of the test', key, make };
}
/** Writes what it is told, and counts how often it is asked to. */
function maker(content = 'made') {
  const calls: string[] = [];
  const make: Artifact['make'] = async (target, work) => {
    calls.push(target);
    await writeFile(join(work, 'scrap'), 'left lying about');
    await writeFile(target, content);
  };
  return { calls, make };
}

describe('an artifact of the cache', () => {
  it('is made once, and stands alone in its folder', async () => {
    const { calls, make } = maker();
    const path = await ensureArtifact(folder, artifact(make), say);
    expect(await ensureArtifact(folder, artifact(make), say)).toBe(path);
    expect([await readFile(path, 'utf8'), calls.length, await readdir(folder)]).toEqual(['made', 1, ['thing-k1.tar']]);
  });

  it('is made once for two that ask at the same time', async () => {
    const { calls, make } = maker();
    await Promise.all([ensureArtifact(folder, artifact(make), say), ensureArtifact(folder, artifact(make), say)]);
    expect(calls.length).toBe(1);
  });

  it('is made anew under another key, and the older one stays', async () => {
    const { make } = maker();
    await ensureArtifact(folder, artifact(make), say);
    await ensureArtifact(folder, artifact(make, 'k2'), say);
    expect((await readdir(folder)).sort()).toEqual(['thing-k1.tar', 'thing-k2.tar']);
  });

  const failures: readonly [string, Artifact['make'], string][] = [
    [
      'a tool that fails',
      async (target) => {
        await writeFile(target, 'half');
        throw new Error('the tool said no');
      },
      'lab.image-failed',
    ],
    [
      'a full disk',
      async (target) => {
        await writeFile(target, 'half');
        throw Object.assign(new Error('write'), { code: 'ENOSPC' });
      },
      'lab.disk-full',
    ],
    ['an empty result', (target) => writeFile(target, ''), 'lab.image-failed'],
    ['no result', async () => {}, 'lab.image-failed'],
  ];

  it.each(failures)('leaves nothing behind after %s, and can be made again', async (_name, make, code) => {
    await expect(ensureArtifact(folder, artifact(make), say)).rejects.toMatchObject({ layer: 'lab', code });
    expect(await readdir(folder)).toEqual([]);
    await ensureArtifact(folder, artifact(maker().make), say);
    expect(await readdir(folder)).toEqual(['thing-k1.tar']);
  });
});

describe('the sweep of the cache', () => {
  it('removes what a dead process left half-made and what nobody used for long, and nothing else', async () => {
    const deadPid = 4_194_304; // above every pid_max
    await mkdir(join(folder, `.making-${deadPid}-thing-k1.tar`, 'root'), { recursive: true });
    await mkdir(join(folder, `.making-${process.pid}-thing-k2.tar`));
    for (const key of ['old', 'new']) await writeFile(artifactPath(folder, artifact(maker().make, key)), 'x');
    const longAgo = new Date(Date.now() - 40 * 24 * 3600 * 1000);
    await utimes(join(folder, 'thing-old.tar'), longAgo, longAgo);
    await sweepArtifacts(folder);
    expect((await readdir(folder)).sort()).toEqual([`.making-${process.pid}-thing-k2.tar`, 'thing-new.tar']);
  });

  it('keeps an old artifact that is in use', async () => {
    const path = artifactPath(folder, artifact(maker().make));
    const longAgo = new Date(Date.now() - 40 * 24 * 3600 * 1000);
    await writeFile(path, 'x');
    await utimes(path, longAgo, longAgo);
    await ensureArtifact(folder, artifact(maker().make), say);
    await sweepArtifacts(folder);
    expect(await readdir(folder)).toEqual(['thing-k1.tar']);
  });
});
