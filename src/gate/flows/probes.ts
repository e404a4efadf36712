import { GateError } from '../../core/gateError.js';
import { allReady, type Verdict, waiting } from '../../core/verdict.js';
import type { PodIdentity } from '../model/identities.js';
import { gateNamespace, kinds, webDeploymentName } from '../model/kinds.js';
import type { Facts } from '../model/observation.js';
import { configMapName, readWebFacts, webServiceName } from '../model/webFacts.js';
import { judgeAppConverged } from '../rules/appConverged.js';
import { podsDifference } from '../rules/podsDifference.js';
import { judgeWebDeclared } from '../rules/webDeclared.js';
import { judgeProbeAnswer, type ProbeFacts, type ProbeRequest, probeRequests } from '../rules/webProbes.js';
import { readApiToken } from './apiToken.js';
import { appDigests, earlier } from './digests.js';
import { mutate, readExisting } from './persist.js';
import { pollUntil } from './poll.js';
import { appReading, judging } from './readings.js';
import { readServiceAnswers, serviceRequests } from './serviceRequests.js';
import type { StepContext } from './stepContext.js';
import { openWebApi } from './webApi.js';

const everySeconds = 2;
const wrongToken = 'raygate-token-that-nobody-issued-0000';

/** Web is declared, healthy and closed as planned: by its live objects, by its node port, and by its Service. */
export async function runProbes(context: StepContext): Promise<Facts['probes']> {
  const declared = judgeWebDeclared(await readWeb(context), webContract(context).selector);
  if (declared.kind !== 'ready') throw probeError(declared.code, declared.detail);
  const pods = await sameWeb(context);
  const token = await readApiToken(context.redactor, context);
  const byNodePort = await ask(context, 'node-port', (requests) => askNodePort(context, requests, token));
  const byService = await ask(context, 'service', (requests) => askService(context, requests));
  const restarts = pods.reduce((sum, pod) => sum + pod.restarts, 0);
  return { ...declared.facts, pods, restarts, requests: [...byNodePort, ...byService] };
}

async function readWeb(context: StepContext) {
  const live = (kind: { apiVersion: string; kind: string }, name: string) =>
    readExisting({ ...kind, name, namespace: gateNamespace }, context);
  const [deployment, configMap, service] = await Promise.all([
    live(kinds.deployment, webDeploymentName),
    live(kinds.configMap, configMapName),
    live(kinds.service, webServiceName),
  ]);
  return readWebFacts(deployment, configMap, service);
}

/** Web's pods are Ready, and those that app-convergence proved, none restarted since. */
async function sameWeb(context: StepContext): Promise<readonly PodIdentity[]> {
  // All of them: whoever runs the application and is none of these is a stray.
  const expected = { contracts: context.plan.deployments, digests: await appDigests(context) };
  const store = await context.watch();
  const all = await store.until(
    judging(appReading, (reading) => judgeAppConverged(reading, expected)),
    { deadline: context.deadline, layer: 'probes', onProgress: context.progress, confirm: true },
  );
  const { deployments } = await earlier(context, 'app-convergence');
  const podsOf = (of: typeof all) => of.find((deployment) => deployment.name === webDeploymentName)?.pods ?? [];
  const live = podsOf(all);
  const difference = podsDifference(podsOf(deployments), live);
  if (difference === undefined) return live;
  throw probeError('probes.web-changed', `Since web was proven, ${difference}.`);
}

function ask(
  context: StepContext,
  via: ProbeRequest['via'],
  look: (requests: readonly ProbeRequest[]) => Promise<readonly Verdict<ProbeFacts>[]>,
): Promise<readonly ProbeFacts[]> {
  const requests = probeRequests.filter((request) => request.via === via);
  const options = { layer: 'probes', deadline: context.deadline, everySeconds, progress: context.progress } as const;
  return pollUntil(async () => allReady(await look(requests)), options);
}

function askNodePort(context: StepContext, requests: readonly ProbeRequest[], token: string) {
  const api = openWebApi(context.plan.webUrl);
  const tokens = { none: {}, wrong: { token: wrongToken }, token: { token } };
  return Promise.all(
    requests.map(async (request) => {
      const { path, host, authorization } = request;
      const answer = await api.call({ method: 'GET', path, host, ...tokens[authorization] });
      return answer.kind === 'answer'
        ? judgeProbeAnswer(request, answer.response)
        : judgeProbeAnswer(request, undefined, answer.reason);
    }),
  );
}

/** From the Ray head: a pod of ours with a Python, that is given no token. */
async function askService(context: StepContext, requests: readonly ProbeRequest[]) {
  const { pods } = await earlier(context, 'ray');
  const head = pods.find((pod) => pod.role === 'head')?.name ?? '';
  const exec = () =>
    context.cluster.exec({
      namespace: gateNamespace,
      pod: head,
      container: 'ray-head',
      argv: serviceRequests(webServiceName, requests),
      timeoutSeconds: Math.max(1, Math.min(60, context.deadline.remainingMs() / 1000)),
    });
  const { stdout, exitCode } = await mutate(`asking ${webServiceName} from pod ${head}`, exec, context);
  const answers = readServiceAnswers(stdout, requests.length);
  if (answers === undefined)
    return [waiting('probes.no-report', `the requests from pod ${head} ended with ${exitCode} and no report`)];
  return requests.map((request, i) => {
    const answer = answers[i];
    return answer?.kind === 'answer'
      ? judgeProbeAnswer(request, answer)
      : judgeProbeAnswer(request, undefined, answer?.reason);
  });
}

function webContract({ plan }: StepContext) {
  const contract = plan.deployments.find((deployment) => deployment.name === webDeploymentName);
  if (contract !== undefined) return contract;
  throw probeError('probes.no-contract', `The plan has no Deployment ${webDeploymentName}.`);
}

function probeError(code: string, message: string): GateError {
  return new GateError({ layer: 'probes', code, message });
}
