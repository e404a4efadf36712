import { GateError } from '../core/gateError.js';

export type KubeconfigProblem =
  | 'unreadable'
  | 'malformed'
  | 'context-unknown'
  | 'context-not-local'
  | 'server-not-local'
  | 'proxy'
  | 'no-authority'
  | 'credentials-unsupported'
  | 'not-private'
  | 'changed';

/** A kubeconfig that is not used. Carries names and rules, never a credential, a URL that may hold one, or a parser's text. */
export function kubeconfigError(problem: KubeconfigProblem, message: string): GateError {
  return new GateError({ layer: 'preflight', code: `kubeconfig.${problem}`, message });
}
