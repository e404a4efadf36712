import type { NamespaceFacts, RemainingKind, RemainingObject } from '../../src/gate/model/namespaceFacts.js';

/** An active namespace with nothing in it. */
export function namespaceFacts(fields: Partial<NamespaceFacts> = {}): NamespaceFacts {
  return {
    name: 'team-a',
    phase: 'Active',
    deletedAt: undefined,
    finalizers: [],
    conditions: [],
    unavailableServices: [],
    remaining: [],
    unread: [],
    controllers: { kueue: 'running', kuberay: 'running', 'kube-controller-manager': 'unknown' },
    claimUsers: {},
    faults: [],
    ...fields,
  };
}

export const deletedAt = '2026-01-01T00:00:00Z';

export function terminating(fields: Partial<NamespaceFacts> = {}): NamespaceFacts {
  return namespaceFacts({ phase: 'Terminating', deletedAt, ...fields });
}

/** Deleted, and held by nothing. */
export function remainingObject(name: string, fields: Partial<RemainingObject> = {}): RemainingObject {
  return { name, uid: `${name}-uid`, deletedAt, finalizers: [], owners: [], finalizerManagers: [], ...fields };
}

export function remainingKind(kind: string, objects: readonly RemainingObject[], leftOut = 0): RemainingKind {
  const [name = '', ...group] = kind.split('.');
  const resource = [`${name.toLowerCase()}s`, ...group].join('.');
  return { kind, resource, objects, leftOut };
}
