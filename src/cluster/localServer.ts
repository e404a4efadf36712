import { kubeconfigError } from './kubeconfigError.js';

const localContext = /^(docker-desktop|kind-[a-z0-9][a-z0-9._-]*)$/;

/** Matched against the text itself, not a parsed URL: parsers mend what must be refused (`https:\\`, `0x7f.1`). */
const localServer =
  /^https:\/\/(127\.0\.0\.1|\[::1\]|localhost|host\.docker\.internal|kubernetes\.docker\.internal)(:[0-9]{1,5})?(\/[!-~]*)?$/i;

const longestServerCharacters = 2_048;

/** Refuses a context whose name is not one of a local cluster's. */
export function requireLocalContext(context: string): void {
  if (localContext.test(context)) return;
  throw kubeconfigError(
    'context-not-local',
    `context ${JSON.stringify(context)} is not a local cluster's: only docker-desktop and kind-<name> are; choose one with --context or raygate:context`,
  );
}

/**
 * Refuses an API server that is not on this machine, or whose URL carries more than a place. Names its scheme, host and port; a URL that
 * holds anything else is not repeated.
 */
export function requireLocalServer(context: string, server: string): void {
  if (isLocalServer(server)) return;
  const place = /^https?:\/\/[a-z0-9.-]{1,253}(?::\d{1,5})?(?=\/?$)/i.exec(server)?.[0];
  const named = `the API server${place === undefined ? '' : ` ${place}`} of context ${context}`;
  if (isLocalServer(server.replace(/^http:/i, 'https:')))
    throw kubeconfigError('server-not-local', `${named} is not reached over TLS: its scheme must be https`);
  throw kubeconfigError(
    'server-not-local',
    `${named} is not on this machine: it must be https on 127.0.0.1, ::1, localhost, host.docker.internal or ` +
      'kubernetes.docker.internal, without user, query or fragment',
  );
}

function isLocalServer(server: string): boolean {
  const port = Number(/^https:\/\/[^/]*?:([0-9]{1,5})(?:\/|$)/i.exec(server.replace('[::1]', 'localhost'))?.[1] ?? 443);
  const local = server.length <= longestServerCharacters && localServer.test(server) && !/[?#@\\]/.test(server);
  return local && port >= 1 && port <= 65_535;
}
