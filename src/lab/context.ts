import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../host/wholeFile.js';
import type { LabContext } from './components/component.js';
import type { LabPaths } from './paths.js';
import { kubeconfigOf } from './pki/kubeconfig.js';
import { ensureMaterial, type LeafName, leaves, materialPath } from './pki/material.js';
import { type UnitName, units } from './toolchain/units.js';

/** The identities that a component reads from a kubeconfig of its own. */
const componentKubeconfigs = [
  'controller-manager',
  'scheduler',
  'kube-proxy',
  'kubelet',
] as const satisfies readonly LeafName[];

/** Lays certificates, kubeconfigs and the Docker client's folder, and returns what components are made from. */
export async function prepareContext(
  paths: LabPaths,
  folders: ReadonlyMap<UnitName, string>,
  now: Date,
): Promise<LabContext> {
  await ensureMaterial(paths.pkiFolder, now);
  for (const name of componentKubeconfigs) {
    await writeWhole(join(paths.configFolder, `${name}.kubeconfig`), await kubeconfigOf(paths.pkiFolder, name));
  }
  await writeWhole(paths.kubeconfig, await kubeconfigOf(paths.pkiFolder, 'admin'));
  const binary = binaryLookup(folders);
  await layDockerConfig(paths, binary('docker-buildx'));
  return { paths, binary, materialVersion: await materialVersion(paths.pkiFolder) };
}

/** Finds a binary among the units that are built. */
export function binaryLookup(folders: ReadonlyMap<UnitName, string>): (name: string) => string {
  const byName = new Map<string, string>();
  for (const [unit, folder] of folders) {
    for (const name of Object.values(units[unit].binaries)) byName.set(name, join(folder, name));
  }
  return (name) => {
    const path = byName.get(name);
    if (path === undefined) throw new Error(`no unit of the lab that is built here makes ${name}`);
    return path;
  };
}

/** A Docker client configuration of the lab's own: no credentials, and buildx as its plugin. */
async function layDockerConfig(paths: LabPaths, buildx: string): Promise<void> {
  await writeWhole(join(paths.dockerConfigFolder, 'config.json'), '{}\n');
  const plugins = join(paths.dockerConfigFolder, 'cli-plugins');
  await mkdir(plugins, { recursive: true });
  await rm(join(plugins, 'docker-buildx'), { force: true });
  await symlink(buildx, join(plugins, 'docker-buildx'));
}

async function materialVersion(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of Object.keys(leaves) as LeafName[]) hash.update(await readFile(materialPath(folder, name).crt));
  return hash.digest('hex').slice(0, 16);
}
