/** Hosts that name this machine, for Docker and for the API server of a local cluster. */
const localHosts = new Set(['127.0.0.1', '[::1]', 'localhost', 'host.docker.internal', 'kubernetes.docker.internal']);

const pipe = /^npipe:\/\/\/\/\.\/pipe\/[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/i;

/**
 * Whether a Docker endpoint is this machine's own. Returns the reason why not (which never repeats the endpoint: it may hold
 * credentials), or undefined when it is.
 */
export function dockerEndpointProblem(endpoint: string): string | undefined {
  if (!/^[\x21-\x7e]{1,2048}$/.test(endpoint)) return 'it must be 1 to 2048 printable ASCII characters without spaces';
  if (endpoint.includes('?') || endpoint.includes('#')) return 'it must have no query and no fragment';
  if (pipe.test(endpoint)) return undefined;
  const scheme = /^([a-z]+):\/\//.exec(endpoint)?.[1];
  if (scheme === 'unix') {
    const path = endpoint.slice('unix://'.length);
    if (!path.startsWith('/')) return 'a unix endpoint must have an absolute path and no authority';
    if (/^\/+$/.test(path)) return 'a unix endpoint must name a socket, not the root folder';
    return undefined;
  }
  if (scheme === 'npipe') return 'a pipe must be of the form npipe:////./pipe/NAME on this machine';
  if (scheme === 'ssh') return 'ssh leads to another machine';
  if (scheme !== 'tcp' && scheme !== 'http' && scheme !== 'https')
    return 'its scheme must be unix, npipe, tcp, http or https';
  return networkProblem(endpoint, scheme);
}

function networkProblem(endpoint: string, scheme: string): string | undefined {
  const rest = endpoint.slice(`${scheme}://`.length);
  const slash = rest.indexOf('/');
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const path = slash < 0 ? '' : rest.slice(slash);
  if (authority.includes('@')) return 'it must hold no user information';
  if (path !== '' && path !== '/') return 'it must have no path';
  const match = /^(\[[0-9a-f:]+\]|[^:[\]]+):(\d{1,5})$/i.exec(authority);
  if (!match) return 'it must name a host and a port';
  const port = Number(match[2]);
  if (port < 1 || port > 65_535) return 'its port must be 1 to 65535';
  if (!localHosts.has((match[1] as string).toLowerCase())) return 'its host is not this machine';
  return undefined;
}
