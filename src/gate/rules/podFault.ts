import type { Held } from '../model/held.js';
import type { ContainerStatusFacts, PodFacts, Termination } from '../model/podFacts.js';

export interface PodFault {
  /** `image-pull`, `crash-loop`, `container-config`, `pod-failed`, `unschedulable`, `stuck-terminating`. */
  readonly code: string;
  readonly detail: string;
}

/** Waiting reasons of the kubelet (1.35) that nothing but a change ends. */
const fatalReasons: Readonly<Record<string, string>> = {
  ImagePullBackOff: 'image-pull',
  ErrImageNeverPull: 'image-pull',
  InvalidImageName: 'image-pull',
  ImageInspectError: 'image-pull',
  SignatureValidationFailed: 'image-pull',
  CreateContainerConfigError: 'container-config',
  CreateContainerError: 'container-config',
  RunContainerError: 'container-config',
};

/** One crash can be a race with what the container depends on; this many restarts in a crash loop are not. */
const crashLoopRestarts = 3;

/** Why this pod can never become ready by itself, from what it says of itself; undefined when it may. */
export function podFault(pod: PodFacts, held?: Held): PodFault | undefined {
  const stuck = heldFault(pod, held);
  if (stuck) return stuck;
  for (const status of [...pod.initStatuses, ...pod.statuses]) {
    const fault = containerFault(pod, status);
    if (fault) return fault;
  }
  if (pod.phase === 'Failed') {
    return {
      code: 'pod-failed',
      detail: `pod ${pod.name} failed: ${pod.reason || lastWords(pod) || 'it says no reason'}`,
    };
  }
  return undefined;
}

/** Why this pod will not get on by itself, by the time for which it has not; undefined while it is within that time. */
export function heldFault(pod: PodFacts, held: Held | undefined): PodFault | undefined {
  const seconds = held?.seconds.get(pod.uid);
  if (held === undefined || seconds === undefined) return undefined;
  if (pod.terminating) {
    if (seconds < held.limitSeconds + pod.graceSeconds) return undefined;
    const by = finalizerText(pod) || ': its node does not end it';
    return {
      code: 'stuck-terminating',
      detail: `pod ${pod.name} has been terminating for ${Math.floor(seconds)} s${by}`,
    };
  }
  if (pod.unschedulable === undefined || seconds < held.limitSeconds) return undefined;
  const detail = `pod ${pod.name} has had no node for ${Math.floor(seconds)} s: ${pod.unschedulable}`;
  return { code: 'unschedulable', detail };
}

/** `, held by finalizer a/b`; empty when none holds it. */
export function finalizerText({ finalizers }: PodFacts): string {
  return finalizers.length === 0 ? '' : `, held by finalizer ${finalizers.join(', ')}`;
}

function containerFault(pod: PodFacts, status: ContainerStatusFacts): PodFault | undefined {
  const reason = status.waiting?.reason ?? '';
  const where = `container ${status.name} of pod ${pod.name}`;
  const code = fatalReasons[reason];
  if (code !== undefined) {
    return { code, detail: `${where}: ${reason}: ${status.waiting?.message || `image ${status.image}`}` };
  }
  if (reason === 'CrashLoopBackOff' && status.restartCount >= crashLoopRestarts) {
    const last = status.lastTerminated;
    const cause = last ? terminationText(last) : 'it says no cause';
    return { code: 'crash-loop', detail: `${where} crashed ${status.restartCount} times: ${cause}` };
  }
  return undefined;
}

/** `exit code 137 OOMKilled`, and what the container said last. */
function terminationText({ exitCode, reason, message }: Termination): string {
  const why = reason === 'Error' || reason === '' ? '' : ` ${reason}`;
  return `exit code ${exitCode}${why}${message.trim() === '' ? '' : `: ${message.trim()}`}`;
}

function lastWords(pod: PodFacts): string {
  const ended = [...pod.initStatuses, ...pod.statuses].find((s) => (s.terminated?.exitCode ?? 0) !== 0);
  return ended?.terminated ? `container ${ended.name} ended with ${terminationText(ended.terminated)}` : '';
}

/** What a pod that is not Ready waits for, in a few words. */
export function podProgress(pod: PodFacts): string {
  if (pod.terminating) return `${pod.name} is terminating${finalizerText(pod)}`;
  if (pod.unschedulable !== undefined) return `${pod.name} has no node: ${pod.unschedulable}`;
  const statuses = [...pod.initStatuses, ...pod.statuses];
  const waiting = statuses.find((status) => status.waiting && !['PodInitializing', ''].includes(status.waiting.reason));
  if (waiting?.waiting) return `${pod.name}: ${waiting.name} ${waiting.waiting.reason}`;
  const init = pod.initStatuses.find((status) => status.terminated === undefined);
  if (init) return `${pod.name}: init container ${init.name}`;
  const unready = pod.statuses.find((status) => !status.ready);
  return `${pod.name}: ${unready ? `${unready.name} not ready` : pod.phase || 'no status yet'}`;
}
