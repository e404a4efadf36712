import { failed, type Unready } from '../../core/verdict.js';

/** What the API server itself keeps to, and what more than a small stack would never have. */
const bounds = { nameCharacters: 253, uidCharacters: 128, replicaSets: 512, pods: 512 } as const;

interface Named {
  readonly name: string;
  readonly uid: string;
}

export interface NamespaceContent {
  readonly deployments: readonly Named[];
  readonly replicaSets: readonly Named[];
  readonly pods: readonly Named[];
}

/** Why a reading of the namespace cannot be judged by names and UIDs: too much of it, or two things under one of them. */
export function namespaceFault({ deployments, replicaSets, pods }: NamespaceContent): Unready | undefined {
  if (replicaSets.length > bounds.replicaSets) return tooMany('ReplicaSets', replicaSets.length, bounds.replicaSets);
  if (pods.length > bounds.pods) return tooMany('pods', pods.length, bounds.pods);
  return (
    identityFault('Deployment', deployments) ?? identityFault('ReplicaSet', replicaSets) ?? identityFault('Pod', pods)
  );
}

function tooMany(what: string, count: number, bound: number): Unready {
  return failed('app-convergence.too-many', `The namespace has ${count} ${what}, more than ${bound}.`);
}

function identityFault(kind: string, objects: readonly Named[]): Unready | undefined {
  const names = new Set<string>();
  const uids = new Set<string>();
  for (const { name, uid } of objects) {
    const fault = (detail: string) => failed('app-convergence.identity', `${kind} ${name.slice(0, 300)} ${detail}.`);
    if (name.length < 1 || name.length > bounds.nameCharacters) return fault('has no usable name');
    if (uid.length < 1 || uid.length > bounds.uidCharacters) return fault('has no usable UID');
    if (names.has(name)) return fault('is there twice');
    if (uids.has(uid)) return fault(`has the UID ${uid} of another one`);
    names.add(name);
    uids.add(uid);
  }
  return undefined;
}
