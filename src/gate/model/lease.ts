import type { KubeObject, ObjectRef } from '../../cluster/objects.js';
import type { ProcessRecord } from '../../host/processRecord.js';
import { asCount, asRecord, asText } from './json.js';
import { kinds } from './kinds.js';

/** Who holds the Lease: a run of a stack, by the plugin process that renews it. */
export interface LeaseHolder {
  readonly stack: string;
  readonly runId: string;
  readonly process: ProcessRecord;
}

export interface LeaseFacts {
  /** `holderIdentity` as it stands there; empty when it was released. */
  readonly identity: string;
  /** Undefined when the identity is empty, or none of ours. */
  readonly holder: LeaseHolder | undefined;
  readonly durationSeconds: number;
  /** By its holder's clock; shown, never compared with ours. */
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly transitions: number;
  readonly resourceVersion: string;
}

export const leaseName = 'raygate-gate';

export function leaseRef(namespace: string): ObjectRef {
  return { ...kinds.lease, name: leaseName, namespace };
}

export function readLease(object: KubeObject): LeaseFacts {
  const spec = asRecord(object['spec']);
  const identity = asText(spec['holderIdentity']);
  return {
    identity,
    holder: parseHolder(identity),
    durationSeconds: asCount(spec['leaseDurationSeconds']),
    acquireTime: asText(spec['acquireTime']),
    renewTime: asText(spec['renewTime']),
    transitions: asCount(spec['leaseTransitions']),
    resourceVersion: object.metadata.resourceVersion ?? '',
  };
}

/** `lab/20260131T120000Z-1a2b3c4d/4711-893412@0123456789abcdef`. */
export function holderIdentity({ stack, runId, process }: LeaseHolder): string {
  return `${stack}/${runId}/${process.pid}-${process.start}@${process.scope}`;
}

export function parseHolder(identity: string): LeaseHolder | undefined {
  const match = /^([^/]{1,100})\/([^/]{1,64})\/([1-9]\d{0,9})-(\d{1,20})@([0-9a-f]{1,16})$/.exec(identity);
  const [, stack, runId, pid, start, scope] = match ?? [];
  if (stack === undefined || runId === undefined || start === undefined || scope === undefined) return undefined;
  return { stack, runId, process: { pid: Number(pid), start, scope } };
}

/** A Kubernetes MicroTime: its decoder (1.35) takes exactly six digits. */
export function microTime(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
