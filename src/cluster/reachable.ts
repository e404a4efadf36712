import type { Deadline } from '../core/deadline.js';
import type { Api } from './api.js';
import { createBackoff } from './backoff.js';
import { ClusterError, isClusterError } from './clusterError.js';

const longestAttemptSeconds = 5;

/**
 * Tries until `/readyz` answers 200. There is nothing to watch while an API server is down, so these are attempts with a
 * growing pause. Throws `ClusterError`: at once for what time does not mend (refused credentials, a wrong certificate),
 * else `unreachable` on the deadline, with the last answer.
 */
export async function waitReachable(api: Api, deadline: Deadline, server: string, signal: AbortSignal): Promise<void> {
  const backoff = createBackoff({ firstMs: 100, longestMs: 2_000 });
  let last = 'no attempt was made';
  while (!deadline.passed() && !signal.aborted) {
    const failure = await attempt(api, Math.min(longestAttemptSeconds, Math.max(0.1, deadline.remainingMs() / 1000)));
    if (!failure) return;
    if (!failure.retryable) throw failure;
    last = failure.message;
    await backoff.wait(AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(deadline.remainingMs()))]));
  }
  throw new ClusterError({
    code: 'unreachable',
    message: `the API server at ${server} was not ready within ${deadline.limitSeconds} s: ${last}`,
    retryable: true,
  });
}

async function attempt(api: Api, timeoutSeconds: number): Promise<ClusterError | undefined> {
  try {
    const answer = await api.send({ method: 'GET', path: '/readyz', accept: '*/*', timeoutSeconds });
    return answer.status === 200 ? undefined : api.failure('/readyz', answer);
  } catch (error) {
    if (isClusterError(error)) return error;
    throw error;
  }
}
