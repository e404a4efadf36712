import { isGateError, restated } from '../core/gateError.js';

/** What is wrong with the file itself, or with the context that is asked of it: another value mends it. */
const wrongUse = ['kubeconfig.unreadable', 'kubeconfig.malformed', 'kubeconfig.context-unknown'];

/**
 * The refusal of a cluster with the place that named its kubeconfig (`--kubeconfig`, or a file's setting), so that the user knows
 * what to change. A file or context that cannot be used is wrong use or a wrong setting; any other refusal stays the check's.
 */
export function namedKubeconfig(error: unknown, path: string, source: { flag: boolean; file: string }): unknown {
  if (!isGateError(error) || !/^(kubeconfig\.|credentials\.unreadable$)/.test(error.code)) return error;
  const named = source.flag
    ? '--kubeconfig'
    : `raygate:kubeconfig in ${source.file} (give another one with --kubeconfig PATH)`;
  const isWrongUse = wrongUse.includes(error.code);
  return restated(error, {
    layer: isWrongUse ? (source.flag ? 'usage' : 'settings') : error.layer,
    message: `${error.message}; the kubeconfig ${path} is named by ${named}, and no setting was stored`,
  });
}
