/** A base that requests may go to, checked once. */
export interface WebBase {
  readonly scheme: 'http' | 'https';
  /** As in the URL, brackets kept. */
  readonly host: string;
  readonly port: number;
  /** Path of the base without a trailing slash. */
  readonly path: string;
}

export type WebBaseReading =
  | { readonly ok: true; readonly base: WebBase }
  | { readonly ok: false; readonly problem: string };

const printable = /^[\x21-\x7e]+$/;

/** Reads a base URL of this machine. The problem never repeats the URL: it may hold credentials. */
export function readWebBase(url: string): WebBaseReading {
  const fail = (problem: string) => ({ ok: false, problem }) as const;
  if (url.length < 1 || url.length > 2048 || !printable.test(url)) {
    return fail('it must be 1 to 2048 printable ASCII characters without spaces');
  }
  const match = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(url);
  if (!match) return fail('its scheme must be http or https');
  const [, scheme = '', authority = '', path = '', query, fragment] = match;
  if (authority.includes('@')) return fail('it must hold no user information');
  if (query !== undefined || fragment !== undefined) return fail('it must have no query and no fragment');
  const parts = /^(\[[0-9a-f:]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(authority);
  if (!parts) return fail('it must name a host, and a port after a colon');
  const host = (parts[1] as string).toLowerCase();
  if (!['127.0.0.1', '[::1]', 'localhost'].includes(host) && !/^([a-z0-9-]+\.)+localhost$/.test(host)) {
    return fail('its host is not this machine');
  }
  const lower = scheme.toLowerCase() as 'http' | 'https';
  const port = parts[2] === undefined ? (lower === 'http' ? 80 : 443) : Number(parts[2]);
  if (port < 1 || port > 65_535) return fail('its port must be 1 to 65535');
  return { ok: true, base: { scheme: lower, host, port, path: path.replace(/\/+$/, '') } };
}

/**
 * The path to request for `path` under a base, or undefined when it would leave the base's scheme, host or port, or is no
 * printable absolute path of 1 to 4096 characters.
 */
export function joinWebPath(base: WebBase, path: string): string | undefined {
  if (path.length < 1 || path.length > 4096 || !printable.test(path)) return undefined;
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\') || path.includes('#')) return undefined;
  const origin = `${base.scheme}://${base.host}:${base.port}`;
  const joined = URL.parse(`${origin}${base.path}${path}`);
  if (joined?.username !== '' || joined.password !== '') return undefined;
  const reference = new URL(origin);
  if (joined.protocol !== reference.protocol || joined.host !== reference.host) return undefined;
  return `${joined.pathname}${joined.search}`;
}
