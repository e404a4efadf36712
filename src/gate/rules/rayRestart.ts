import { failed, type Verdict } from '../../core/verdict.js';
import type { ImageSlot } from '../model/contracts.js';
import { type RayConvergedExpectation, rayPodContract } from './rayConverged.js';
import { judgeRayInventory, type RayInventory, type RayReading } from './rayInventory.js';

const referenceLimit = 2048;

/**
 * Which pods a cold restart may delete: the cluster's own, of containers that are known by name, in order. The images may be those
 * of any earlier release, and there may be more pods than planned.
 */
export function judgeRestartDiscovery(reading: RayReading, expected: RayConvergedExpectation): Verdict<RayInventory> {
  const inventory = judgeRayInventory(reading, expected);
  if (inventory.kind !== 'ready') return inventory;
  for (const { pod, role } of inventory.facts.pods) {
    const contract = rayPodContract(role, expected);
    const pairs: readonly [string, readonly ImageSlot[], readonly ImageSlot[]][] = [
      ['init containers', pod.initContainers, contract.initContainers],
      ['containers', pod.containers, contract.containers],
    ];
    for (const [what, is, should] of pairs) {
      const [have, want] = [names(is), names(should)];
      if (have !== want) return failed('ray.container-names', `Pod ${pod.name} has the ${what} ${have}, not ${want}.`);
      if (is.some((slot) => slot.image === '' || slot.image.length > referenceLimit)) {
        return failed('ray.image-reference', `Pod ${pod.name} has a container without a usable image reference.`);
      }
    }
  }
  return inventory;
}

function names(slots: readonly ImageSlot[]): string {
  return `[${slots.map((slot) => slot.name).join(', ')}]`;
}
