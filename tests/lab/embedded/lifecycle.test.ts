import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ports } from '../../../src/lab/addresses.js';
import { componentNames } from '../../../src/lab/components/component.js';
import { emptyCgroups } from '../../../src/lab/machine/cgroups.js';
import { clusterDnsHealth } from '../../../src/lab/machine/clusterDns.js';
import { unmountBelow } from '../../../src/lab/machine/mounts.js';
import { removeNetwork } from '../../../src/lab/machine/network.js';
import { findStrays } from '../../../src/lab/machine/strays.js';
import { labPaths } from '../../../src/lab/paths.js';
import type { DaemonRecord } from '../../../src/lab/process/daemon.js';
import { withLabCluster } from '../../../src/lab/up.js';
import { failure, program, raygate } from '../command.js';

const paths = labPaths();
const mark = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'raygate-test-mark', namespace: 'default' },
} as const;

async function record(name: string): Promise<DaemonRecord> {
  return JSON.parse(await readFile(join(paths.processFolder, `${name}.json`), 'utf8')) as DaemonRecord;
}

/** The uid of an object that only etcd's data can remember. */
async function markUid(): Promise<string | undefined> {
  return withLabCluster(paths, async (cluster) => {
    const read = await cluster.get({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: mark.metadata.name,
      namespace: 'default',
    });
    return read.kind === 'found' ? read.value.metadata.uid : undefined;
  });
}

async function up(): Promise<string> {
  const ended = await raygate(['lab', 'up']);
  expect([ended.code, ended.code === 0 ? '' : failure(ended)]).toEqual([0, '']);
  // Not a status that etcd remembers: the cluster's DNS answers the moment that `up` says it is done.
  expect(await clusterDnsHealth()).toEqual({ healthy: true, why: '10.96.0.10 answers' });
  return ended.stdout.trim();
}

describe('the embedded lab', () => {
  let uid: string | undefined;

  beforeAll(async () => {
    await up();
    await withLabCluster(paths, async (cluster) => {
      await cluster.apply(mark, { fieldManager: 'raygate-test', force: true });
    });
    uid = await markUid();
    expect(uid).toBeDefined();
  });
  afterAll(async () => {
    await withLabCluster(paths, (cluster) =>
      cluster.remove({ apiVersion: 'v1', kind: 'ConfigMap', name: mark.metadata.name, namespace: 'default' }),
    );
  });

  it('has nothing to start when it is up', async () => {
    expect(await up()).toMatch(/^lab up in [\d.]+ s: nothing to start$/);
  });

  it('says of each part that it is well, and why', async () => {
    const ended = await raygate(['lab', 'status']);
    const lines = ended.stdout.trim().split('\n');
    expect(lines.map((line) => line.split(/\s+/).slice(0, 2))).toEqual(
      ['network', ...componentNames, 'node', 'coredns', 'local-path', 'kuberay', 'dns'].map((name) => ['ok', name]),
    );
    expect(ended.code).toBe(0);
  });

  it.each([...componentNames])('comes back, with its data, after kill -9 of %s', async (name) => {
    const before = await record(name);
    process.kill(before.pid, 'SIGKILL');
    const line = await up();
    expect(line).toContain(name);
    expect((await record(name)).pid).not.toBe(before.pid);
    expect(await markUid()).toBe(uid);
  });

  it('names a killed component in its status, with exit code 1', async () => {
    process.kill((await record('kube-scheduler')).pid, 'SIGKILL');
    const ended = await raygate(['lab', 'status']);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^DOWN {2}kube-scheduler +not running: pid \d+ ended/m);
    expect(failure(ended)).toBe(
      "FAILED [lab]: 1 of 14 parts are not healthy: kube-scheduler; 'raygate lab up' heals (lab.not-healthy)",
    );
    await up();
  });

  it('comes back, with its data, after kill -9 of all components at once', async () => {
    for (const name of componentNames) process.kill((await record(name)).pid, 'SIGKILL');
    await up();
    expect(await markUid()).toBe(uid);
  });

  it('comes back, with its data, after its records are lost while its processes live', async () => {
    await rm(paths.processFolder, { recursive: true, force: true });
    await up();
    expect(await markUid()).toBe(uid);
  });

  it('comes back, with its data, after all that a reboot takes away', async () => {
    for (const name of componentNames) process.kill((await record(name)).pid, 'SIGKILL');
    for (const shim of await findStrays([paths.runFolder])) process.kill(shim.pid, 'SIGKILL');
    await emptyCgroups(0);
    await unmountBelow([paths.runFolder, paths.stateFolder]);
    await rm(paths.runFolder, { recursive: true, force: true });
    await removeNetwork();
    await up();
    expect(await markUid()).toBe(uid);
    expect((await raygate(['lab', 'status'])).code).toBe(0);
  });

  it('refuses a second `lab up` at the same time, and names the first', async () => {
    process.kill((await record('kube-apiserver')).pid, 'SIGKILL');
    const both = await Promise.all([raygate(['lab', 'up']), raygate(['lab', 'up'])]);
    expect(both.map((ended) => ended.code).sort()).toEqual([0, 1]);
    const refused = both.find((ended) => ended.code === 1);
    expect(refused && failure(refused)).toMatch(
      /^FAILED \[lab\]: another command is changing the lab: 'raygate lab up', pid \d+; wait for it to end, then try again \(lab.busy\)$/,
    );
  });

  it('leaves no process, mount, bridge or packet rule after `lab down`, and comes back with its data', async () => {
    expect((await raygate(['lab', 'down'])).code).toBe(0);
    const rules = await program('iptables-save', []);
    expect(rules.stdout.split('\n').filter((line) => /KUBE-|RAYGATE-/.test(line))).toEqual([]);
    const links = await program('ip', ['-brief', 'link']);
    expect(links.stdout.split('\n').filter((line) => /^raygate|^veth/.test(line))).toEqual([]);
    const mounts = await readFile('/proc/self/mountinfo', 'utf8');
    expect(
      mounts.split('\n').filter((line) => line.includes(paths.runFolder) || line.includes(paths.stateFolder)),
    ).toEqual([]);
    const processes = await program('ps', ['-eo', 'args']);
    expect(
      processes.stdout.split('\n').filter((line) => line.includes(paths.stateFolder) || line.includes(paths.runFolder)),
    ).toEqual([]);
    await up();
    expect(await markUid()).toBe(uid);
  });

  it('refuses a port that a stranger holds, names it, and starts nothing', async () => {
    expect((await raygate(['lab', 'down'])).code).toBe(0);
    const stranger = createServer();
    await new Promise<void>((resolve) => stranger.listen({ port: ports.kubelet, host: '127.0.0.1' }, resolve));
    try {
      const ended = await raygate(['lab', 'up']);
      expect([ended.code, failure(ended)]).toEqual([
        1,
        `FAILED [lab]: port ${ports.kubelet} (kubelet of the lab) is taken by another process: end it ('ss -ltnp sport = :${ports.kubelet}' names it), or use your own cluster with --context NAME instead (lab.port-taken)`,
      ]);
      expect((await program('ip', ['-brief', 'link'])).stdout).not.toMatch(/^raygate/m);
    } finally {
      await new Promise((resolve) => stranger.close(resolve));
    }
    await up();
  });

  it('names a living lab of another state folder, and leaves it alone', async () => {
    const ended = await raygate(['lab', 'up'], { env: { RAYGATE_STATE: '/tmp/raygate-other-state' } });
    expect(ended.code).toBe(1);
    expect(failure(ended)).toContain(`another lab runs on this machine, state ${paths.stateFolder}`);
    expect(await up()).toContain('nothing to start');
  });
});
