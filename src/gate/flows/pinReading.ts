import type { KindRef, KubeObject } from '../../cluster/objects.js';
import type { View } from '../../cluster/watchStore.js';
import { asCount, asRecord } from '../model/json.js';
import { gateNamespace, kinds } from '../model/kinds.js';
import { controllerOf, readPod } from '../model/podFacts.js';
import type { ObjectFacts, PinReading } from '../rules/pins.js';

/** What the watches show of the kinds that are pinned. */
export function pinReading(view: View): PinReading {
  const facts = (kind: KindRef) => readable(view, kind)?.map(readFacts);
  return {
    pods: readable(view, kinds.pod)?.map(readPod),
    objects: {
      RayCluster: facts(kinds.rayCluster),
      Deployment: facts(kinds.deployment),
      ReplicaSet: facts(kinds.replicaSet),
      Job: facts(kinds.job),
    },
  };
}

function readable(view: View, kind: KindRef): readonly KubeObject[] | undefined {
  const listed = view.list(kind);
  if (listed.kind === 'unreadable') return undefined;
  if (listed.kind === 'absent') return [];
  return listed.value.filter((object) => object.metadata.namespace === gateNamespace);
}

function readFacts({ metadata, ...rest }: KubeObject): ObjectFacts {
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    terminating: metadata.deletionTimestamp !== undefined,
    ownerUid: controllerOf(metadata.ownerReferences ?? [])?.uid,
    replicas: asCount(asRecord(rest['spec'])['replicas']),
  };
}
