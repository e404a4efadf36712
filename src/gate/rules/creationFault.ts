import { oneLine } from '../../core/boundedText.js';
import { failed, type Unready } from '../../core/verdict.js';

const textCharacters = 1_000;

/** How the API server (1.35) refuses a pod for good; anything else of a failed creation may pass (a webhook that is away). */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/exceeded quota|failed quota/, 'quota'],
  [/violates PodSecurity|denied the request|is invalid:/, 'pod-refused'],
];

export interface Creation {
  /** Prefix of codes. */
  readonly layer: string;
  /** Who makes the pods: `ReplicaSet web-7f`. */
  readonly controller: string;
  /** What its condition or event says; undefined when it says nothing. */
  readonly text: string | undefined;
  /** Whether pods are on their way out, which gives room under a quota. */
  readonly leaving: boolean;
}

/** Why a controller will never get its pods created, in the API server's own words; undefined while it may. */
export function creationFault({ layer, controller, text, leaving }: Creation): Unready | undefined {
  if (text === undefined) return undefined;
  const code = refusals.find(([pattern]) => pattern.test(text))?.[1];
  if (code === undefined || (code === 'quota' && leaving)) return undefined;
  return failed(`${layer}.${code}`, `${controller} cannot make its pods: ${oneLine(text, textCharacters)}`);
}
