import { failed, ready, type Verdict, waiting } from '../../core/verdict.js';
import { controllerOf, type PodFacts } from '../model/podFacts.js';
import { satisfies } from './deploymentConverged.js';

/** Which pod serves the data: the one of the Deployment that runs and stays. */
export function judgePostgresPod(
  pods: readonly PodFacts[],
  selector: Readonly<Record<string, string>>,
): Verdict<PodFacts> {
  const own = pods.filter(
    (pod) => satisfies(pod.labels, selector) && controllerOf(pod.owners)?.kind === 'ReplicaSet' && !pod.terminating,
  );
  const running = own.filter((pod) => pod.phase === 'Running');
  const [one, ...others] = running;
  if (one === undefined) return waiting('postgres.no-pod', 'no pod of PostgreSQL runs');
  if (others.length > 0)
    return failed(
      'postgres.pods',
      `PostgreSQL runs in ${running.length} pods: ${running.map((pod) => pod.name).join(', ')}.`,
    );
  return ready(one);
}

/** The system identifier in the words of `pg_controldata` (PostgreSQL 9 to 18, C locale). */
export function readSystemIdentifier(output: string): string | undefined {
  return /^Database system identifier:\s+(\d{10,20})$/m.exec(output)?.[1];
}
