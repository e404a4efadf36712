import type { KubeObject } from '../../src/cluster/objects.js';
import { holderIdentity, type LeaseFacts, leaseName, parseHolder } from '../../src/gate/model/lease.js';
import type { ProcessRecord } from '../../src/host/processRecord.js';

/** A process of another machine. */
export const elsewhere: ProcessRecord = { pid: 4711, start: '893412', scope: '0123456789abcdef' };

export function holderOf(process: ProcessRecord, runId = '20260101T000000Z-aaaaaaaa', stack = 'other'): string {
  return holderIdentity({ stack, runId, process });
}

/** Held by a run of stack `other` on another machine. */
export function leaseFacts(fields: Partial<LeaseFacts> = {}): LeaseFacts {
  const identity = fields.identity ?? holderOf(elsewhere);
  return {
    identity,
    holder: parseHolder(identity),
    durationSeconds: 30,
    acquireTime: '2026-01-01T00:00:00.000000Z',
    renewTime: '2026-01-01T00:01:00.000000Z',
    transitions: 3,
    resourceVersion: '7',
    ...fields,
  };
}

export function leaseObject(identity: string, spec: Readonly<Record<string, unknown>> = {}): KubeObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: leaseName, namespace: 'django-ray', uid: 'lease-uid', resourceVersion: '7' },
    spec: {
      holderIdentity: identity,
      leaseDurationSeconds: 30,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:01:00.000000Z',
      leaseTransitions: 3,
      ...spec,
    },
  };
}
