import type { Outcome } from '../../src/core/outcome.js';
import { found } from '../../src/core/outcome.js';
import { indexOf } from '../../src/drain/index/indexOf.js';
import type { Decision } from '../../src/drain/release/decision.js';
import type { ObjectDecision, ReleasePlan } from '../../src/drain/release/plan.js';
import type { DrainSnapshot, NamespaceSnapshot, OwnedAccount, OwnedObject } from '../../src/drain/release/snapshot.js';
import { defaultKueueConfiguration } from '../../src/drain/routes/kueueConfiguration.js';
import { readClusterQueue, readLocalQueue } from '../../src/drain/routes/queueFacts.js';
import { readWork } from '../../src/drain/sources/readWork.js';
import { sourceKinds } from '../../src/drain/sources/table.js';
import { type AnyObject, rowOf } from './work.js';

export const indexed = (...objects: readonly AnyObject[]) =>
  indexOf(objects.map((object) => readWork(rowOf(object.kind), object)));

const workspaceUid = 'uid-of-vision';
const labels = {
  'app.kubernetes.io/managed-by': 'tau-core-controller',
  'tau.azure.com/team': 'eyes',
  'tau.azure.com/workspace': 'vision',
  'tau.azure.com/local-queue': 'q',
  'kueue.x-k8s.io/default-local-queue': 'q',
};
const annotations = { 'tau.azure.com/owner-uid': workspaceUid };

export const everyKindRead: ReadonlyMap<(typeof sourceKinds)[number], Outcome<unknown>> = new Map(
  sourceKinds.map((row) => [row, found(undefined)]),
);
/** Each kind read but one, of which this became. */
export const readsBut = (kind: string, outcome: Outcome<unknown>) => new Map(everyKindRead).set(rowOf(kind), outcome);

/** LocalQueues as they would be read: name to the ClusterQueue that each leads to. */
export const localQueues = (to: Readonly<Record<string, string>>) =>
  new Map(
    Object.entries(to).map(([name, clusterQueue]) => [
      name,
      readLocalQueue({ metadata: { name, uid: `uid-of-${name}` }, spec: { clusterQueue } }),
    ]),
  );

/** ClusterQueues as they would be read: name to namespaceSelector. */
export const clusterQueues = (of: Readonly<Record<string, unknown>>) =>
  new Map(
    Object.entries(of).map(([name, namespaceSelector]) => [
      name,
      readClusterQueue({ metadata: { name, uid: `uid-of-${name}` }, spec: { namespaceSelector } }),
    ]),
  );

export const onWorkspace = { matchLabels: { 'tau.azure.com/workspace': 'vision' } };

export const ownedLocalQueue = (name: string): OwnedObject => ({
  apiVersion: 'kueue.x-k8s.io/v1beta2',
  kind: 'LocalQueue',
  namespace: 'train',
  name,
  uid: `uid-of-${name}`,
});
export const ownedAccount = (name: string, obsolete = false): OwnedAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  namespace: 'train',
  name,
  uid: `uid-of-${name}`,
  obsolete,
});
export const ownedClusterQueue = (deleting = false): OwnedObject => ({
  apiVersion: 'kueue.x-k8s.io/v1beta2',
  kind: 'ClusterQueue',
  name: 'tau-ws-vision',
  uid: 'uid-of-tau-ws-vision',
  ...(deleting ? { deleting } : {}),
});
export const grant: OwnedObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  namespace: 'train',
  name: 'tau-researcher-v1',
  uid: 'uid-of-grant',
};

/** Namespace `train` that workspace `vision` leaves, all read and empty; LocalQueue `q` leads to external ClusterQueue `cq`. */
export function namespace(of: Partial<NamespaceSnapshot> = {}): NamespaceSnapshot {
  return {
    name: 'train',
    uid: 'uid-of-train',
    resourceVersion: '7',
    labels: { ...labels, zone: 'a' },
    annotations,
    written: { labels, annotations },
    leaving: true,
    work: indexed(),
    reads: everyKindRead,
    localQueues: localQueues({ q: 'cq' }),
    owned: { localQueues: [], accounts: [], grants: [] },
    ...of,
  };
}

/** Workspace `vision` of generation 3 on its way out, seen live; ClusterQueue `cq` selects by the workspace's label. */
export function snapshot(
  of: Partial<Omit<DrainSnapshot, 'workspace'>> & { workspace?: Partial<DrainSnapshot['workspace']> } = {},
): DrainSnapshot {
  return {
    evidence: 'live',
    kueue: found(defaultKueueConfiguration),
    clusterQueues: clusterQueues({ cq: onWorkspace }),
    recorded: new Map(),
    namespaces: [namespace()],
    grants: [],
    ...of,
    workspace: {
      uid: workspaceUid,
      generation: 3,
      deleting: true,
      clusterWide: false,
      hadQueues: true,
      ...of.workspace,
    },
  };
}

export const now = Date.parse('2026-01-01T00:00:00Z');

/** What a plan says of each object, in a word each: `{ labels: 'keep', finalizer: 'keep', 'ServiceAccount/sa': 'release' }`. */
export function words(plan: ReleasePlan): Readonly<Record<string, string>> {
  const of = ({ object, decision }: ObjectDecision) => [`${object.kind}/${object.name}`, decision.kind] as const;
  return Object.fromEntries([
    ...plan.namespaces.flatMap(({ localQueues: queues, accounts, leaving }) => [
      ...(leaving
        ? [
            ['labels', leaving.routingLabels.decision.kind] as const,
            ['marks', leaving.marks.decision.kind] as const,
            ['grants', leaving.grants.access] as const,
          ]
        : []),
      ...queues.map(of),
      ...accounts.map(of),
    ]),
    ...(plan.clusterQueue ? [of(plan.clusterQueue)] : []),
    ...(plan.finalizer ? [['finalizer', plan.finalizer.kind] as const] : []),
  ]);
}

/** Every decision that a plan makes. */
export function decisions(plan: ReleasePlan): readonly Decision[] {
  return [
    ...plan.namespaces.flatMap(({ localQueues: queues, accounts, leaving }) => [
      ...(leaving ? [leaving.routingLabels.decision, leaving.marks.decision] : []),
      ...[...queues, ...accounts].map(({ decision }) => decision),
    ]),
    ...(plan.clusterQueue ? [plan.clusterQueue.decision] : []),
    ...(plan.finalizer ? [plan.finalizer] : []),
  ];
}
