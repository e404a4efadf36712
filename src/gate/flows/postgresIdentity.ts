import { isClusterError } from '../../cluster/clusterError.js';
import { deadlineIn } from '../../core/deadline.js';
import { ready, waiting } from '../../core/verdict.js';
import type { DeploymentContract } from '../model/contracts.js';
import { asList, asText, at } from '../model/json.js';
import { gateNamespace, kinds, postgresDeploymentName } from '../model/kinds.js';
import { readPod } from '../model/podFacts.js';
import type { PostgresSeen } from '../model/preserved.js';
import { judgePostgresPod, readSystemIdentifier } from '../rules/postgresIdentity.js';
import { readUntilAnswered } from './persist.js';
import { pollUntil } from './poll.js';
import { type PreservedContext, readClaims } from './preserved.js';

/** Reads the control file that `initdb` wrote: neither a running server nor a password is needed. */
const argv = ['env', 'LC_ALL=C', 'pg_controldata'];
const execSeconds = 15;
/** Seconds in which a pod that cannot answer for a moment may answer again. */
const settleSeconds = 30;

/**
 * Whose data PostgreSQL serves, at one look. Without its claim there is none yet; data that nobody serves just now is unreadable,
 * which is no reason not to deploy what may serve it again.
 */
export async function lookAtPostgres(context: PreservedContext): Promise<PostgresSeen> {
  const contract = context.plan.supporting.find(({ name }) => name === postgresDeploymentName);
  if (contract === undefined || !(await hasData(context, contract))) return { kind: 'absent' };
  const read = () => context.cluster.list(kinds.pod, { namespace: gateNamespace });
  const pods = await readUntilAnswered('Pod list', read, context);
  const verdict = judgePostgresPod((pods?.items ?? []).map(readPod), contract.selector);
  if (verdict.kind !== 'ready') return { kind: 'unreadable', reason: verdict.detail };
  const { name, uid } = verdict.facts;
  const place = { namespace: gateNamespace, pod: name, container: verdict.facts.containers[0]?.name ?? '' };
  try {
    const { exitCode, stdout, stderr } = await context.cluster.exec({ ...place, argv, timeoutSeconds: execSeconds });
    const systemIdentifier = exitCode === 0 ? readSystemIdentifier(stdout) : undefined;
    if (systemIdentifier !== undefined) return { kind: 'observed', pod: name, podUid: uid, systemIdentifier };
    return { kind: 'unreadable', reason: `pg_controldata in ${name} ended with ${exitCode}: ${stderr || stdout}` };
  } catch (error) {
    if (!isClusterError(error)) throw error;
    return { kind: 'unreadable', reason: error.message };
  }
}

/** The same look, repeated until there is an answer: for what was read before and must be read again. */
export function awaitPostgres(context: PreservedContext): Promise<PostgresSeen> {
  const { layer, deadline, progress } = context;
  return pollUntil<PostgresSeen>(
    async () => {
      const seen = await lookAtPostgres(context);
      return seen.kind === 'unreadable' ? waiting(`${layer}.postgres-unreadable`, seen.reason) : ready(seen);
    },
    {
      layer,
      deadline: deadlineIn(Math.min(settleSeconds, deadline.remainingMs() / 1000)),
      everySeconds: 2,
      ...(progress === undefined ? {} : { progress }),
    },
  );
}

async function hasData(context: PreservedContext, { template }: DeploymentContract): Promise<boolean> {
  const volumes = asList(template.spec['volumes']);
  const named = volumes.map((volume) => asText(at(volume, 'persistentVolumeClaim', 'claimName')));
  const claims = await readClaims(context);
  return claims.some(({ name, volume }) => named.includes(name) && volume !== '');
}
