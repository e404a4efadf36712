import type { KindRef, KubeObject, ObjectMeta } from '../../cluster/objects.js';
import { found, type Outcome } from '../../core/outcome.js';
import { asList, asRecord, asText, at } from '../model/json.js';
import { kinds } from '../model/kinds.js';
import type { NamespaceFacts, RemainingKind, RemainingObject } from '../model/namespaceFacts.js';
import { listOr } from './listOr.js';
import { readControllers } from './readControllers.js';
import { readFaults } from './readFaults.js';
import type { ReadingCluster } from './readingCluster.js';

/** Objects of one kind that are looked at; how many more there are is counted. */
const mostOfAKind = 100;
/** Kinds asked for at a time. */
const pool = 6;

type Unread = NamespaceFacts['unread'][number];

/** The kinds whose objects are read whole; of every other kind only metadata is. */
export const explainedKinds: readonly KindRef[] = [
  kinds.namespace,
  kinds.apiService,
  kinds.pod,
  kinds.deployment,
  kinds.replicaSet,
  kinds.job,
  kinds.persistentVolumeClaim,
  kinds.workload,
];

/** All that explains a namespace, read once: what is in it by discovery, and what holds it. Unreadable parts are named in it. */
export async function readNamespace(cluster: ReadingCluster, name: string): Promise<Outcome<NamespaceFacts>> {
  const read = await cluster.get({ ...kinds.namespace, name });
  if (read.kind !== 'found') return read;
  const { metadata, spec, status } = read.value;
  const unread: Unread[] = [];
  const [unavailableServices, remaining, controllers] = await Promise.all([
    readServices(cluster, unread),
    readRemaining(cluster, name, unread),
    readControllers(cluster, unread),
  ]);
  const pods = await listOr(cluster, kinds.pod, name, unread);
  const deletedAt = metadata.deletionTimestamp;
  const own = [...asList(at(spec, 'finalizers')).map(asText), ...(metadata.finalizers ?? [])];
  return found({
    name,
    phase: asText(at(status, 'phase')),
    deletedAt,
    finalizers: own.filter((finalizer) => finalizer !== 'kubernetes'),
    conditions: conditionsOf(read.value),
    unavailableServices,
    remaining,
    unread,
    controllers,
    claimUsers: claimUsers(pods),
    faults: deletedAt === undefined ? await readFaults(cluster, name, pods, unread) : [],
  });
}

async function readServices(cluster: ReadingCluster, unread: Unread[]): Promise<NamespaceFacts['unavailableServices']> {
  const services = await listOr(cluster, kinds.apiService, undefined, unread);
  return services.flatMap((object) => {
    const conditions = asList(at(object['status'], 'conditions')).map(asRecord);
    const available = conditions.find((condition) => condition['type'] === 'Available');
    if (available === undefined || available['status'] === 'True') return [];
    const service = asRecord(at(object['spec'], 'service'));
    const message = [asText(available['reason']), asText(available['message'])]
      .filter((text) => text !== '')
      .join(': ');
    return [
      {
        name: object.metadata.name,
        service:
          service['name'] === undefined ? undefined : `${asText(service['namespace'])}/${asText(service['name'])}`,
        message: message || 'it says no reason',
      },
    ];
  });
}

/** Every kind that the namespace controller would delete; events come and go, and hold nothing. */
async function readRemaining(
  cluster: ReadingCluster,
  namespace: string,
  unread: Unread[],
): Promise<readonly RemainingKind[]> {
  const served = await cluster.servedKinds();
  if (served.kind !== 'found') {
    unread.push({ what: 'the list of kinds', reason: served.kind === 'absent' ? 'there is none' : served.reason });
    return [];
  }
  unread.push(...served.value.unreadable.map(({ apiVersion, reason }) => ({ what: `all of ${apiVersion}`, reason })));
  const asked = served.value.kinds.filter(
    ({ namespaced, verbs, kind }) =>
      namespaced && verbs.includes('list') && verbs.includes('delete') && kind !== 'Event',
  );
  const remaining: RemainingKind[] = [];
  for (let i = 0; i < asked.length; i += pool) {
    const lists = asked.slice(i, i + pool).map(async ({ apiVersion, kind, plural }) => {
      const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
      const options = { namespace, metadataOnly: true, pageSize: mostOfAKind, atMost: mostOfAKind };
      const listed = await cluster.list({ apiVersion, kind }, options);
      if (listed.kind === 'unreadable') unread.push({ what: `${kind}${group}`, reason: listed.reason });
      if (listed.kind !== 'found' || listed.value.items.length === 0) return;
      const objects = listed.value.items.map(({ metadata }) => remainingObject(metadata));
      const leftOut = listed.value.leftOut ?? 0;
      remaining.push({ kind: `${kind}${group}`, resource: `${plural}${group}`, objects, leftOut });
    });
    await Promise.all(lists);
  }
  return remaining.sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

function remainingObject(metadata: ObjectMeta): RemainingObject {
  const writers = (metadata.managedFields ?? []).filter(
    (entry) => at(entry.fieldsV1, 'f:metadata', 'f:finalizers') !== undefined,
  );
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    deletedAt: metadata.deletionTimestamp,
    finalizers: metadata.finalizers ?? [],
    owners: (metadata.ownerReferences ?? []).map(({ kind, name, uid, blockOwnerDeletion }) => {
      return { kind, name, uid, blocks: blockOwnerDeletion === true };
    }),
    finalizerManagers: [...new Set(writers.map((entry) => entry.manager ?? 'an unnamed manager'))],
  };
}

function conditionsOf(namespace: KubeObject): NamespaceFacts['conditions'] {
  return asList(at(namespace['status'], 'conditions'))
    .map(asRecord)
    .filter((condition) => condition['status'] === 'True')
    .map((condition) => ({ type: asText(condition['type']), message: asText(condition['message']) }));
}

function claimUsers(pods: readonly KubeObject[]): NamespaceFacts['claimUsers'] {
  const users: Record<string, string[]> = {};
  for (const pod of pods) {
    if (['Succeeded', 'Failed'].includes(asText(at(pod['status'], 'phase')))) continue;
    for (const volume of asList(at(pod['spec'], 'volumes'))) {
      const claim = asText(at(volume, 'persistentVolumeClaim', 'claimName'));
      if (claim === '') continue;
      users[claim] = [...(users[claim] ?? []), pod.metadata.name];
    }
  }
  return users;
}
