import { canonicalJson } from './canonicalJson.js';
import type { ImageSlot, RayGroupShape, RayTopology } from './contracts.js';
import { asList, asRecord, asText, at } from './json.js';
import { readContainers } from './podFacts.js';

export type TopologyReading =
  | { readonly ok: true; readonly topology: RayTopology }
  | { readonly ok: false; readonly problem: string };

/** Normalises the `spec` of a RayCluster (ray.io/v1), planned or live; a problem when it is none that the gate can prove. */
export function readRayTopology(spec: unknown): TopologyReading {
  const fail = (problem: string) => ({ ok: false, problem }) as const;
  if (at(spec, 'enableInTreeAutoscaling') !== false) return fail('enableInTreeAutoscaling is not false');
  const rayVersion = asText(at(spec, 'rayVersion'));
  if (rayVersion === '') return fail('rayVersion is empty');
  const headSpec = asRecord(at(spec, 'headGroupSpec'));
  const serviceType = asText(headSpec['serviceType']);
  if (serviceType === '') return fail('headGroupSpec.serviceType is empty');
  const head = readNode(headSpec);
  if (typeof head === 'string') return fail(`head: ${head}`);
  const groups: RayGroupShape[] = [];
  for (const entry of asList(at(spec, 'workerGroupSpecs')).map(asRecord)) {
    const name = asText(entry['groupName']);
    if (name === '') return fail('a worker group has no name');
    if (groups.some((group) => group.name === name)) return fail(`worker group "${name}" is there twice`);
    const node = readNode(entry);
    if (typeof node === 'string') return fail(`worker group "${name}": ${node}`);
    const counts = [entry['replicas'], entry['minReplicas'], entry['maxReplicas']];
    const replicas = counts[0];
    if (
      typeof replicas !== 'number' ||
      !Number.isInteger(replicas) ||
      replicas < 1 ||
      counts.some((n) => n !== replicas)
    ) {
      return fail(
        `worker group "${name}": replicas, minReplicas and maxReplicas are ${counts.join(', ')}, not one positive number`,
      );
    }
    groups.push({ name, replicas, ...node });
  }
  if (groups.length === 0) return fail('it has no worker group');
  groups.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { ok: true, topology: { rayVersion, serviceType, head, groups } };
}

function readNode(group: unknown): Omit<RayGroupShape, 'name' | 'replicas'> | string {
  const template = at(group, 'template', 'spec');
  const containers = readContainers(at(template, 'containers')).map(slotOf);
  if (containers.length === 0) return 'it has no container';
  const parameters = Object.entries(asRecord(at(group, 'rayStartParams')));
  const wrong = parameters.find(([, value]) => typeof value !== 'string');
  if (wrong) return `rayStartParams.${wrong[0]} is not text`;
  parameters.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    containers,
    initContainers: readContainers(at(template, 'initContainers')).map(slotOf),
    startParameters: Object.fromEntries(parameters) as Record<string, string>,
  };
}

function slotOf({ name, image }: ImageSlot): ImageSlot {
  return { name, image };
}

/** The first difference between two topologies in words, or undefined when they are equal. */
export function topologyDifference(live: RayTopology, planned: RayTopology): string | undefined {
  const pairs: readonly [string, unknown, unknown][] = [
    ['rayVersion', live.rayVersion, planned.rayVersion],
    ['serviceType', live.serviceType, planned.serviceType],
    ['head', live.head, planned.head],
    ['worker groups', live.groups, planned.groups],
  ];
  for (const [what, is, should] of pairs) {
    // Pulumi's state keeps no order of keys.
    const [a, b] = [canonicalJson(is), canonicalJson(should)];
    if (a !== b) return `${what} ${a} instead of ${b}`;
  }
  return undefined;
}
