import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/cluster/cluster.js';
import { withCluster } from '../../src/cluster/withCluster.js';
import { withPrivateFolder } from '../../src/host/privateFolder.js';
import { aKubeconfig, makePki } from '../builders/kubeconfig.js';

const pki = await makePki();
const aPod = { apiVersion: 'v1', kind: 'Pod', name: 'a', namespace: 'b' };

describe('a cluster that is opened for the length of some work', () => {
  let folder: string;
  let lent: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-with-'));
    lent = [];
    // Nobody listens on port 1.
    const kubeconfig = aKubeconfig(pki, { server: 'https://127.0.0.1:1', context: 'kind-a' });
    await writeFile(join(folder, 'config'), JSON.stringify(kubeconfig));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = <T>(
    act: (cluster: Cluster) => Promise<T>,
    fields: { context?: string; reachableSeconds?: number } = {},
  ) =>
    withCluster(
      {
        kubeconfigPath: join(folder, 'config'),
        context: 'kind-a',
        inFolder: (work) =>
          withPrivateFolder((path) => {
            lent.push(path);
            return work(path);
          }, folder),
        ...fields,
      },
      act,
    );
  const isGone = async () => expect(await access(lent[0] ?? 'none').catch(() => 'gone')).toBe('gone');

  it('is that of the context, with its snapshot in the folder that was lent', async () => {
    const seen = await open(async (cluster) => [cluster.context, await readdir(lent[0] ?? '')]);
    expect(seen).toEqual(['kind-a', [expect.stringMatching(/^kubeconfig-[0-9a-f]{16}\.json$/)]]);
    await isGone();
  });

  it('is waited for, and left to the work to judge when it does not come', async () => {
    const began = performance.now();
    expect(await open((cluster) => cluster.get(aPod), { reachableSeconds: 0.3 })).toMatchObject({ kind: 'unreadable' });
    expect(performance.now() - began).toBeGreaterThan(250);
  });

  it('is closed, and its snapshot gone, when the work fails', async () => {
    let opened: Cluster | undefined;
    const work = open(async (cluster) => {
      opened = cluster;
      throw new Error('work failed');
    });
    await expect(work).rejects.toThrow('work failed');
    await expect(opened?.get(aPod)).resolves.toMatchObject({ kind: 'unreadable' });
    await isGone();
  });

  it('is not opened for a context that the kubeconfig lacks', async () => {
    await expect(open(async () => 'x', { context: 'kind-b' })).rejects.toMatchObject({
      code: 'kubeconfig.context-unknown',
    });
    await isGone();
  });
});
