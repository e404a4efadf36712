import { found, type Outcome, unreadable } from '../core/outcome.js';
import { type Api, parseJson, unreadableFrom } from './api.js';
import type { GrantedRule } from './cluster.js';

const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';

/** What the API server's authorizer gives the kubeconfig's user in a namespace right now, cluster-wide grants included. */
export async function readOwnRules(api: Api, namespace: string): Promise<Outcome<readonly GrantedRule[]>> {
  const what = `own rules in ${namespace}`;
  const body = JSON.stringify({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    spec: { namespace },
  });
  try {
    const answer = await api.send({ method: 'POST', path, contentType: 'application/json', body });
    if (answer.status !== 201) return unreadableFrom(api.failure(what, answer));
    const review = parseJson(answer.body) as { status?: { resourceRules?: unknown } } | undefined;
    const rules = review?.status?.resourceRules ?? [];
    return Array.isArray(rules) ? found(rules) : unreadable(`${what}: the answer holds no list of rules`, false);
  } catch (error) {
    return unreadableFrom(error);
  }
}
