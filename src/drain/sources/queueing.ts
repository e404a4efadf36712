import { entryAt, type Fields, fieldsAt, fieldsOf, listAt } from './fields.js';
import { pending, stuck, type WorkState } from './sourceKind.js';

const queueNameLabel = 'kueue.x-k8s.io/queue-name';
const managedLabel = 'kueue.x-k8s.io/managed';
const admissionGate = 'kueue.x-k8s.io/admission';

/** The queue label of the object itself: most kinds (Kueue 0.17, jobframework QueueNameForObject). */
export function rootQueue(object: Fields): string {
  return entryAt(fieldsAt(object, 'metadata'), 'labels', queueNameLabel);
}

/**
 * The queue of pods that a template makes. Kueue takes a pod only with `managed: "true"`, which its webhook writes into the template of a
 * Deployment beside the queue's name; a queue label on the Deployment alone, or on a template without the mark, routes nothing.
 */
export function templateQueue(template: Fields): string | undefined {
  const metadata = fieldsAt(template, 'metadata');
  return entryAt(metadata, 'labels', managedLabel) === 'true' ? entryAt(metadata, 'labels', queueNameLabel) : undefined;
}

/** A pod that Kueue took, or one that stands at its gate with a queue's name, whoever made it. */
export function podQueue(pod: Fields): string | undefined {
  const name = rootQueue(pod);
  return templateQueue(pod) ?? (name !== '' && isGated(pod) ? name : undefined);
}

/** Whether the pod waits for Kueue to let it be scheduled. */
export function isGated(pod: Fields): boolean {
  return listAt(fieldsAt(pod, 'spec'), 'schedulingGates').some(
    (gate) => fieldsOf(gate, 'schedulingGate')['name'] === admissionGate,
  );
}

/** What is suspended waits for whoever queues it; without a queue or a controller nobody will resume it. */
export function suspended(object: Fields): WorkState {
  const controlled = listAt(fieldsAt(object, 'metadata'), 'ownerReferences').some(
    (owner) => fieldsOf(owner, 'ownerReference')['controller'] === true,
  );
  if (controlled || rootQueue(object) !== '') return pending('Suspended');
  return stuck('Suspended', 'it is suspended and in no queue: resume it or delete it');
}
