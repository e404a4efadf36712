const localNames = new Set(['127.0.0.1', '[::1]', 'localhost']);

export type LocalUrl =
  | { readonly ok: true; readonly origin: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the base URL of a service on this machine: scheme, host and port, nothing else.
 *
 * Accepted: 1 to 2048 printable ASCII characters; http or https; host 127.0.0.1, ::1, localhost or a name that ends in
 * `.localhost`; no user information, path, query or fragment. `origin` has no trailing slash and no default port.
 * The problem never repeats the URL: what is refused here may hold credentials.
 */
export function parseLocalUrl(text: string): LocalUrl {
  if (!/^[\x21-\x7e]{1,2048}$/.test(text))
    return refuse('it must be 1 to 2048 printable ASCII characters without spaces');
  const parts = /^(https?):\/\/([^/?#\\]*)(.*)$/i.exec(text);
  if (!parts) return refuse('its scheme must be http or https');
  const [, scheme = '', authority = '', rest = ''] = parts;
  if (authority.includes('@')) return refuse('it must hold no user information');
  if (rest.includes('?') || rest.includes('#')) return refuse('it must have no query and no fragment');
  if (rest !== '' && rest !== '/') return refuse('it must have no path');
  const hostAndPort = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(authority);
  if (!hostAndPort) return refuse('it must name a host, and after a colon a port');
  const [, host = '', port] = hostAndPort;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return refuse('its port must be 1 to 65535');
  if (!isLocalName(host.toLowerCase()))
    return refuse('its host must be 127.0.0.1, [::1], localhost or end in .localhost');
  return { ok: true, origin: originOf(scheme.toLowerCase(), host.toLowerCase(), port) };
}

function isLocalName(host: string): boolean {
  return localNames.has(host) || /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+localhost$/.test(host);
}

function originOf(scheme: string, host: string, port: string | undefined): string {
  const standard = scheme === 'http' ? 80 : 443;
  return port === undefined || Number(port) === standard
    ? `${scheme}://${host}`
    : `${scheme}://${host}:${Number(port)}`;
}

function refuse(problem: string): LocalUrl {
  return { ok: false, problem };
}
