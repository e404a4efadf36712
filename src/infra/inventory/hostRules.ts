import type { Manifest } from '../plannedObject.js';
import { fieldsOf } from './walk.js';

/** Fields that reach past a pod's own walls, each with the values that do. */
const reaches: Readonly<Record<string, (value: unknown) => boolean>> = {
  hostPath: () => true,
  hostNetwork: isTrue,
  hostPID: isTrue,
  hostIPC: isTrue,
  hostPort: (value) => typeof value === 'number' && value !== 0,
  privileged: isTrue,
  allowPrivilegeEscalation: isTrue,
  runAsNonRoot: (value) => value === false,
  runAsUser: (value) => value === 0,
  externalIPs: (value) => Array.isArray(value) && value.length > 0,
};

/** Capabilities are dropped and never added. */
const addsCapability = /\.capabilities\.add$/;

/** No object of ours reaches the host. */
export function hostProblems(manifest: Manifest): readonly string[] {
  const problems: string[] = [];
  for (const { path, key, value } of fieldsOf(manifest['spec'], 'spec')) {
    const reach = key !== undefined && Object.hasOwn(reaches, key) ? reaches[key] : undefined;
    if (reach?.(value)) problems.push(`${path} is ${shown(value)}: no object may reach the host`);
    if (addsCapability.test(path) && Array.isArray(value) && value.length > 0)
      problems.push(`${path} adds ${value.join(', ')}: capabilities are only dropped`);
  }
  return problems;
}

function isTrue(value: unknown): boolean {
  return value === true;
}

function shown(value: unknown): string {
  return typeof value === 'object' ? 'set' : String(value);
}
