import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureLine } from '../../../src/core/failureLine.js';
import { run } from '../../../src/host/process.js';
import { images } from '../../../src/lab/images/catalog.js';
import { ensureImages } from '../../../src/lab/images/ensure.js';
import { type FakeDockerStore, fakeDockerStore } from '../../fakes/dockerStore.js';

const { reference } = images.pause;
const megabyte = 1024 * 1024;

/** The cache on a small disk of its own, the C compiler and the writes real, Docker's store a stand-in. */
describe('a disk that fills up while an image is made', () => {
  let folder: string;
  let cacheFolder: string;
  let docker: FakeDockerStore;
  const mount = (...argv: string[]) => run({ file: 'mount', argv, timeoutSeconds: 30 });
  const give = (size: string) => mount('-o', `remount,size=${size}`, cacheFolder);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-full-disk-'));
    cacheFolder = join(folder, 'cache');
    await mkdir(cacheFolder);
    await mount('-t', 'tmpfs', '-o', 'size=128k,mode=0700', 'raygate-full-disk', cacheFolder);
    docker = await fakeDockerStore(join(folder, 'docker'), 4 * megabyte);
  });
  afterAll(async () => {
    await docker?.close();
    await run({ file: 'umount', argv: [cacheFolder], timeoutSeconds: 30 });
    await rm(folder, { recursive: true, force: true });
  });

  const ensure = () => {
    const { dockerHost } = docker;
    const binaries = () => '/nowhere';
    const options = { dockerHost, dockerConfig: folder, cacheFolder, binaries, onProgress: () => {} };
    return ensureImages(options, ['pause']).catch(failureLine);
  };
  /** Names of all files of the cache, their keys left out. */
  const files = async () => {
    const entries = await readdir(cacheFolder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => entry.name.replace(/-[0-9a-f]{8,}/, ''))
      .sort();
  };
  const full = (activity: string, place: string) =>
    `FAILED [lab]: the disk is full: ${activity} failed, in ${join(cacheFolder, place)} or in Docker's own store. Nothing half-made was kept; free some space (all images take about 5 GB) and run it again (lab.disk-full)`;

  it('by what goes into the image: one line, and nothing is kept', async () => {
    expect(await ensure()).toBe(full('making the program pause/pause.c', 'inputs'));
    expect(await files()).toEqual([]);
  });

  it('by the image itself: one line, and only what was whole is kept', async () => {
    await give('2m');
    expect(await ensure()).toBe(full(`making the image ${reference}`, 'archives'));
    expect(await files()).toEqual(['pause.bin']);
  });

  it("on Docker's side: one line, and the whole image stays in the cache", async () => {
    await give('16m');
    await docker.setFull(true);
    expect(await ensure()).toBe(full(`loading the image ${reference}`, 'archives'));
    expect(await files()).toEqual(['pause.bin', 'pause.image.tar']);
  });

  it('heals when there is room, without making anything again', async () => {
    await docker.setFull(false);
    const archives = join(cacheFolder, 'archives');
    const inodes = async () =>
      Promise.all((await readdir(archives)).map(async (name) => (await stat(join(archives, name))).ino));
    const before = await inodes();
    expect(await ensure()).toEqual({ loaded: [reference], built: [] });
    expect(await inodes()).toEqual(before);
    expect(await ensure()).toEqual({ loaded: [], built: [] });
  });
});
