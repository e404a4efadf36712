import type { KubeObject } from '../../cluster/objects.js';
import { asText, at } from './json.js';

/** What a controller said of one object (core/v1 Event). */
export interface EventFacts {
  readonly uid: string;
  readonly reason: string;
  readonly message: string;
}

export function readEvent(object: KubeObject): EventFacts {
  return {
    uid: asText(at(object['involvedObject'], 'uid')),
    reason: asText(object['reason']),
    message: asText(object['message']),
  };
}
