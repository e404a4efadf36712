import type { PinnedConfig } from './pinnedConfig.js';

/** What a pinned kubeconfig says of the way to its API server. */
export interface Connection {
  readonly server: string;
  readonly ca: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  /** Who we are, beside a client certificate, and as whom we act: sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The name to verify the server's certificate for, when it is not the URL's host. */
  readonly serverName?: string;
}

export function connectionOf(config: PinnedConfig): Connection {
  const { cluster } = config.clusters[0];
  const { user } = config.users[0];
  return {
    server: cluster.server,
    ca: Buffer.from(cluster['certificate-authority-data'], 'base64'),
    ...(user['client-certificate-data'] && { cert: Buffer.from(user['client-certificate-data'], 'base64') }),
    ...(user['client-key-data'] && { key: Buffer.from(user['client-key-data'], 'base64') }),
    headers: headersOf(user),
    ...(cluster['tls-server-name'] !== undefined && { serverName: cluster['tls-server-name'] }),
  };
}

function headersOf(user: PinnedConfig['users'][0]['user']): Readonly<Record<string, string>> {
  const authorization = authorizationOf(user);
  return {
    ...(authorization !== undefined && { authorization }),
    ...(user.as !== undefined && { 'impersonate-user': user.as }),
  };
}

function authorizationOf(user: PinnedConfig['users'][0]['user']): string | undefined {
  if (user.token !== undefined) return `Bearer ${user.token}`;
  if (user.username === undefined) return undefined;
  return `Basic ${Buffer.from(`${user.username}:${user.password}`, 'utf8').toString('base64')}`;
}
