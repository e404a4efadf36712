import type { KubeObject } from '../../cluster/objects.js';
import { asList, asRecord, asText } from './json.js';

export interface JobFacts {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly terminating: boolean;
  readonly complete: boolean;
  /** Reason and message of the Failed condition. */
  readonly failure: string | undefined;
}

export function readJob(object: KubeObject): JobFacts {
  const conditions = asList(asRecord(object['status'])['conditions']).map(asRecord);
  const holds = (type: string) => conditions.find((c) => c['type'] === type && c['status'] === 'True');
  const failure = holds('Failed');
  return {
    name: object.metadata.name,
    namespace: object.metadata.namespace ?? '',
    uid: object.metadata.uid ?? '',
    terminating: object.metadata.deletionTimestamp !== undefined,
    complete: holds('Complete') !== undefined,
    failure: failure === undefined ? undefined : `${asText(failure['reason'])}: ${asText(failure['message'])}`,
  };
}
