/**
 * How long pods have been held up, by UID, in seconds of the gate's own clock since it first saw them so: without a node, or
 * terminating. Plain data of a reading, so that the rules need no clock; a reading without it judges nothing by time.
 */
export interface Held {
  readonly seconds: ReadonlyMap<string, number>;
  /** From here on a pod is stuck; a terminating one has its own grace period on top. */
  readonly limitSeconds: number;
}
