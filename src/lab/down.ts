import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Progress } from '../core/progress.js';
import { type ComponentName, componentNames } from './components/component.js';
import { emptyCgroups } from './machine/cgroups.js';
import { unmountBelow } from './machine/mounts.js';
import { removeNetwork } from './machine/network.js';
import { findStrays } from './machine/strays.js';
import { readOwner } from './owner.js';
import { type LabPaths, labStack } from './paths.js';
import { forgetRecord, readRecord, stopDaemon } from './process/daemon.js';

/** Where the CNI library keeps the result of each pod's network; ours carry the network's name. */
const cniResults = '/var/lib/cni/results';

/**
 * Ends the lab's processes (each by pid and start time), its pods and builds, and removes its mounts, bridges, packet
 * rules and run folder. The cluster's state stays. Works on a lab that is half dead, and on one of another state folder that is named in `owner`.
 */
export async function takeDown(paths: LabPaths, progress: Progress): Promise<void> {
  const owner = await readOwner(paths.ownerFile);
  const stateFolders = [...new Set([paths.stateFolder, ...(owner ? [owner.stateFolder] : [])])];
  progress('lab/down', 'ending the kubelet, so that nothing restarts what ends');
  await stop(paths, ['kubelet', 'kube-proxy'], 3);
  progress('lab/down', 'ending pods and the control plane');
  await Promise.all([
    endContainers(paths),
    stop(paths, ['kube-controller-manager', 'kube-scheduler'], 3).then(() =>
      stop(paths, ['kube-apiserver'], 4).then(() => stop(paths, ['etcd'], 4)),
    ),
    stop(paths, ['dockerd'], 5),
  ]);
  await stop(paths, ['containerd'], 3);
  await endStrays([...stateFolders, paths.runFolder]);
  progress('lab/down', 'removing mounts, bridges and packet rules');
  await unmountBelow([...stateFolders, paths.runFolder]);
  await removeNetwork();
  await removeCniResults();
  await rm(paths.runFolder, { recursive: true, force: true });
  progress('lab/down', '');
}

/** True when any process of the lab lives, recorded or not. */
export async function anyAlive(paths: LabPaths, stateFolder: string): Promise<boolean> {
  return (await findStrays([stateFolder, paths.runFolder])).length > 0;
}

async function stop(paths: LabPaths, names: readonly ComponentName[], graceSeconds: number): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const record = await readRecord(paths.processFolder, name);
      if (record) await stopDaemon(record, graceSeconds);
      await forgetRecord(paths.processFolder, name);
    }),
  );
}

async function endContainers(paths: LabPaths): Promise<void> {
  await emptyCgroups(2);
  const shims = (await findStrays([paths.runFolder])).filter((stray) => stray.command === 'containerd-shim-runc-v2');
  await Promise.all(shims.map((shim) => stopDaemon(shim, 1)));
}

/** Ends processes of the lab that no record names: lost with /run, or left by a killed `up`. */
async function endStrays(marks: readonly string[]): Promise<void> {
  const strays = [...(await findStrays(marks))];
  const order = (name: string) => componentNames.indexOf(name as ComponentName);
  // Later components first: the kubelet before the container runtime that it would call.
  for (const stray of strays.sort((a, b) => order(b.command) - order(a.command))) await stopDaemon(stray, 3);
}

async function removeCniResults(): Promise<void> {
  const names = await readdir(cniResults).catch(() => []);
  await Promise.all(
    names.filter((name) => name.startsWith('raygate-')).map((name) => rm(join(cniResults, name), { force: true })),
  );
}

/**
 * Wipes the cluster's state of a lab that is down, and with it what was recorded of that cluster: the lab stack's Pulumi state
 * and evidence speak of objects that are gone. Built binaries, images and the image store stay.
 */
export async function wipeCluster(paths: LabPaths): Promise<void> {
  const backend = join(paths.pulumiFolder, 'backend', '.pulumi');
  const recorded = join(backend, 'stacks', 'raygate');
  const folders = [
    paths.etcdFolder,
    paths.kubeletFolder,
    paths.storageFolder,
    paths.pkiFolder,
    paths.configFolder,
    paths.logFolder,
    paths.kubeconfig,
    join(paths.stacksFolder, labStack),
    join(backend, 'locks', 'organization', 'raygate', labStack),
  ];
  const files = (await readdir(recorded).catch(() => [])).filter((name) => name.startsWith(`${labStack}.json`));
  await Promise.all(
    [...folders, ...files.map((name) => join(recorded, name))].map((path) =>
      rm(path, { recursive: true, force: true }),
    ),
  );
}
