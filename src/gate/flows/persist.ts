import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from '../../cluster/cluster.js';
import { isClusterError } from '../../cluster/clusterError.js';
import { type KubeObject, type ObjectRef, objectName } from '../../cluster/objects.js';
import type { Deadline } from '../../core/deadline.js';
import { GateError, isGateError, type Layer } from '../../core/gateError.js';
import type { Outcome } from '../../core/outcome.js';

export interface PersistOptions {
  readonly layer: Layer;
  readonly deadline: Deadline;
  readonly cluster: Cluster;
  readonly progress?: (line: string) => void;
}

/** Reads until there is an answer: an API server that goes away and comes back within the layer's time costs only that time. */
export async function readUntilAnswered<T>(
  what: string,
  read: () => Promise<Outcome<T>>,
  options: PersistOptions,
): Promise<T | undefined> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await read();
    if (outcome.kind === 'found') return outcome.value;
    if (outcome.kind === 'absent') return undefined;
    if (!outcome.retryable || options.deadline.passed()) {
      const message = `${what} cannot be read: ${outcome.reason}`;
      throw new GateError({
        layer: options.layer,
        code: `${options.layer}.unreadable`,
        message,
        retryable: outcome.retryable,
      });
    }
    options.progress?.(`${what}: ${outcome.reason}`);
    await untilReachable(options, attempt);
  }
}

/** Like {@link readUntilAnswered} for an object that must exist. */
export async function readExisting(ref: ObjectRef, options: PersistOptions): Promise<KubeObject> {
  const object = await readUntilAnswered(objectName(ref), () => options.cluster.get(ref), options);
  if (object !== undefined) return object;
  const message = `${objectName(ref)} does not exist: deploy it first.`;
  throw new GateError({ layer: options.layer, code: `${options.layer}.absent`, message });
}

/** Repeats a mutation that may be repeated, while the API server cannot carry it out. */
export async function mutate<T>(what: string, act: () => Promise<T>, options: PersistOptions): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!isClusterError(error)) throw error;
      if (!error.retryable || options.deadline.passed()) {
        const message = `${what}: ${error.message}`;
        throw new GateError({
          layer: options.layer,
          code: `${options.layer}.${error.code}`,
          message,
          retryable: error.retryable,
        });
      }
      options.progress?.(`${what}: ${error.message}`);
      await untilReachable(options, attempt);
    }
  }
}

/** A back-off, then the API server's own word that it is there; its deadline error is left to the next attempt. */
async function untilReachable({ cluster, deadline }: PersistOptions, attempt: number): Promise<void> {
  await pause(Math.min(250 * 2 ** Math.min(attempt, 4), deadline.remainingMs()));
  try {
    await cluster.waitReachable(deadline);
  } catch (error) {
    if (!isClusterError(error) && !isGateError(error)) throw error;
  }
}
