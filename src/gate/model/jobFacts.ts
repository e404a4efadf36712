import type { KubeObject } from '../../cluster/objects.js';
import { asList, asRecord, asText, at } from './json.js';
import { isTerminating } from './podFacts.js';

export interface JobFacts {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly terminating: boolean;
  readonly complete: boolean;
  /** Reason and message of the Failed or FailureTarget condition. */
  readonly failure: string | undefined;
  /** A suspended Job gets no pods until somebody (such as Kueue) resumes it. */
  readonly suspended: boolean;
}

export function readJob(object: KubeObject): JobFacts {
  const conditions = asList(asRecord(object['status'])['conditions']).map(asRecord);
  const holds = (type: string) => conditions.find((c) => c['type'] === type && c['status'] === 'True');
  // FailureTarget (Kubernetes 1.31) comes first, while the Job's pods still end.
  const failure = holds('Failed') ?? holds('FailureTarget');
  return {
    name: object.metadata.name,
    namespace: object.metadata.namespace ?? '',
    uid: object.metadata.uid ?? '',
    terminating: isTerminating(object),
    complete: holds('Complete') !== undefined,
    failure: failure === undefined ? undefined : `${asText(failure['reason'])}: ${asText(failure['message'])}`,
    suspended: at(object['spec'], 'suspend') === true,
  };
}
