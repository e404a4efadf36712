import { isGateError, restated } from '../core/gateError.js';

/** What is found at the cluster, or of the snapshot: no other file mends it. */
const notOfTheFile = ['kubeconfig.changed', 'kubeconfig.not-private', 'credentials.unreadable'];

/**
 * The refusal of a cluster with the place that named its kubeconfig (`--kubeconfig`, or a file's setting), so that the user knows
 * what to change. A file or context that cannot be used is wrong use or a wrong setting; any other refusal stays the check's.
 */
export function namedKubeconfig(error: unknown, path: string, source: { flag: boolean; file: string }): unknown {
  if (!isGateError(error) || !/^(kubeconfig\.|credentials\.unreadable$)/.test(error.code)) return error;
  const named = source.flag
    ? '--kubeconfig'
    : `raygate:kubeconfig in ${source.file} (give another one with --kubeconfig PATH)`;
  const isWrongUse = !notOfTheFile.includes(error.code);
  const kubeconfig = error.message.includes(path) ? 'it' : `the kubeconfig ${path}`;
  return restated(error, {
    layer: isWrongUse ? (source.flag ? 'usage' : 'settings') : error.layer,
    message: `${error.message}; ${kubeconfig} is named by ${named}, and no setting was stored`,
  });
}
