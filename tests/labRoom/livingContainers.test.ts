import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { livingContainers } from '../../src/lab/machine/livingContainers.js';

describe('livingContainers', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-containers-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const task = async (id: string, pid?: string) => {
    const path = join(folder, 'io.containerd.runtime.v2.task', 'k8s.io', id);
    await mkdir(path, { recursive: true });
    if (pid !== undefined) await writeFile(join(path, 'init.pid'), pid);
  };

  it('names those whose first process lives', async () => {
    await task('living', String(process.pid));
    await task('ended', '4194305'); // Above the highest pid that Linux gives.
    await task('starting');
    await task('torn', '');
    expect(await livingContainers(folder)).toEqual(new Set(['living']));
  });

  it('names none when containerd has never run', async () => {
    expect(await livingContainers(join(folder, 'none'))).toEqual(new Set());
  });
});
