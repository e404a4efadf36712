import { GateError } from '../../core/gateError.js';
import type { RayPodIdentity } from '../model/identities.js';
import { gateNamespace } from '../model/kinds.js';
import type { Facts } from '../model/observation.js';
import { type NodeAnswer, requiredMember } from '../model/runtimeEnv.js';
import { judgeRuntimeEnv } from '../rules/runtimeEnv.js';
import { earlier } from './digests.js';
import { mutate } from './persist.js';
import { inPool } from './pool.js';
import { sameRay } from './rayIdentity.js';
import { runtimeEnvProbe } from './runtimeEnvProbe.js';
import type { StepContext } from './stepContext.js';

/** Each starts two Python processes beside Ray's own: more at once would starve a small node. */
const podsAtOnce = 3;

/** Asks the interpreter of every Ray node for the archive that tasks run from, and compares it with what setup says that it made. */
export async function runRuntimeEnv(context: StepContext): Promise<Facts['runtime-env']> {
  const { archive } = (await earlier(context, 'setup')).result;
  const { pods } = await sameRay(context);
  const argv = runtimeEnvProbe({ path: archive.path, sha256: archive.sha256, requiredMember });
  let asked = 0;
  const answers = await inPool(pods, podsAtOnce, async (pod) => {
    const answer = await ask(context, pod, argv);
    context.progress(`archive read on ${++asked} of ${pods.length} Ray pods`);
    return answer;
  });
  const verdict = judgeRuntimeEnv(answers, archive);
  if (verdict.kind !== 'ready')
    throw new GateError({ layer: 'runtime-env', code: verdict.code, message: verdict.detail });
  // A pod that was replaced meanwhile answered for nobody.
  await sameRay(context);
  return verdict.facts;
}

async function ask(context: StepContext, pod: RayPodIdentity, argv: readonly string[]): Promise<NodeAnswer> {
  const { plan, deadline, cluster } = context;
  const exec = () =>
    cluster.exec({
      namespace: gateNamespace,
      pod: pod.name,
      container: pod.role === 'head' ? 'ray-head' : 'ray-worker',
      argv,
      timeoutSeconds: Math.max(1, Math.min(plan.deadlines['command'] ?? 120, deadline.remainingMs() / 1000)),
    });
  // It changes nothing but a temporary folder, so that it may be repeated.
  const result = await mutate(`reading the archive in pod ${pod.name}`, exec, context);
  const clean = context.redactor.clean;
  return { pod: pod.name, uid: pod.uid, ...result, stdout: clean(result.stdout), stderr: clean(result.stderr) };
}
