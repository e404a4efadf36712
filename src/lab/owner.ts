import { readFile } from 'node:fs/promises';
import { GateError } from '../core/gateError.js';
import { writeWhole } from '../host/wholeFile.js';
import type { LabPaths } from './paths.js';

/** Whose lab the machine's one lab is; kept in the run folder, so that another clone finds it. */
export interface LabOwner {
  readonly stateFolder: string;
  readonly project: string;
}

export async function readOwner(ownerFile: string): Promise<LabOwner | undefined> {
  try {
    return JSON.parse(await readFile(ownerFile, 'utf8')) as LabOwner;
  } catch {
    return undefined;
  }
}

export async function writeOwner(ownerFile: string, owner: LabOwner): Promise<void> {
  await writeWhole(ownerFile, JSON.stringify(owner));
}

/** The error of a second lab on one machine, naming the first. */
export function otherLabError(owner: LabOwner, paths: LabPaths): GateError {
  return new GateError({
    layer: 'lab',
    code: 'lab.other-alive',
    message: `another lab runs on this machine, state ${owner.stateFolder}, started from ${owner.project}; this one's state is ${paths.stateFolder}: take the other down first (there: raygate lab down)`,
  });
}

/** Why the lab of these paths cannot be asked without its kubeconfig: where the machine's lab keeps its state, when that is elsewhere. */
export function noKubeconfigReason(
  owner: LabOwner | undefined,
  paths: Pick<LabPaths, 'kubeconfig' | 'stateFolder'>,
): string {
  const missing = `there is no kubeconfig ${paths.kubeconfig}`;
  return owner === undefined || owner.stateFolder === paths.stateFolder
    ? `${missing}: raygate lab up makes it`
    : `${missing}; the state of this machine's lab lies in ${owner.stateFolder} (RAYGATE_STATE says which is looked at)`;
}
