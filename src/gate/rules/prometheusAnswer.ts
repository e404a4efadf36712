import { oneLine } from '../../core/boundedText.js';
import { failed, ready, type Verdict, waiting } from '../../core/verdict.js';
import { asRecord, asText, parseJson } from '../model/json.js';

/**
 * The `data` of an answer of Prometheus's API, as `read` takes it. Waits for a Prometheus that is starting or busy; an answer that is
 * not Prometheus's is somebody else's, and no time mends that. `body` must have been redacted.
 */
export function judgePrometheusAnswer<T>(
  path: string,
  status: number,
  body: string,
  read: (data: unknown) => T | undefined,
): Verdict<T> {
  const what = `GET ${path} at Prometheus`;
  if (status >= 500 || status === 429) return waiting('prometheus.server-error', `${what} answered ${status}`);
  if (status >= 300 && status < 400) return failed('prometheus.redirect', `${what} answered ${status}, a redirect.`);
  const answer = asRecord(parseJson(body));
  if (status !== 200) {
    const why = oneLine(asText(answer['error']), 500) || 'no error text';
    return failed('prometheus.refused', `${what} answered ${status}, not 200: ${why}.`);
  }
  const facts = answer['status'] === 'success' ? read(answer['data']) : undefined;
  if (facts !== undefined) return ready(facts);
  return failed('prometheus.body', `${what} answered 200 with a body that is not Prometheus's: what listens there?`);
}
