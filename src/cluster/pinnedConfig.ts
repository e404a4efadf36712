import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { shortestSecretCharacters } from '../core/redaction.js';
import { kubeconfigError } from './kubeconfigError.js';
import type { ContextSelection } from './kubeconfigFile.js';
import { requireLocalContext, requireLocalServer } from './localServer.js';

const pinnedSchema = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Config'),
  'current-context': z.string(),
  clusters: z.tuple([
    z.strictObject({
      name: z.string(),
      cluster: z.strictObject({
        server: z.string(),
        'certificate-authority-data': z.base64().min(1),
        'tls-server-name': z.string().min(1).optional(),
      }),
    }),
  ]),
  contexts: z.tuple([
    z.strictObject({
      name: z.string(),
      context: z.strictObject({ cluster: z.string(), user: z.string(), namespace: z.string().optional() }),
    }),
  ]),
  users: z.tuple([
    z.strictObject({
      name: z.string(),
      user: z.strictObject({
        'client-certificate-data': z.base64().min(1).optional(),
        'client-key-data': z.base64().min(1).optional(),
        token: z.string().min(1).optional(),
        username: z.string().min(1).optional(),
        password: z.string().min(1).optional(),
        // Never taken over from the user's file: set by whoever takes the snapshot.
        as: z
          .string()
          .regex(/^system:serviceaccount:[a-z0-9-]+:[a-z0-9.-]+$/)
          .optional(),
      }),
    }),
  ]),
});

/** A kubeconfig of exactly one cluster, one context and one user, with everything read in. */
export type PinnedConfig = z.infer<typeof pinnedSchema>;

/** What a flattened selection becomes: fields that route and authenticate, and nothing else. */
export function pin(selection: ContextSelection, path: string): PinnedConfig {
  const { name, context, cluster, user } = selection;
  refuseUnsupported(selection, path);
  return checkPinned(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name: context.cluster, cluster: only(cluster, Object.keys(clusterFields)) }],
      contexts: [{ name, context: only(context, Object.keys(contextFields)) }],
      users: [{ name: context.user, user: only(user, Object.keys(userFields)) }],
    },
    name,
    path,
  );
}

/** The same way to the same cluster, on which every request acts as a service account. */
export function actingAs(config: PinnedConfig, account: string, path: string): PinnedConfig {
  const [{ name, user }] = config.users;
  return checkPinned({ ...config, users: [{ name, user: { ...user, as: account } }] }, config['current-context'], path);
}

const clusterFields = pinnedSchema.shape.clusters.def.items[0].shape.cluster.shape;
const contextFields = pinnedSchema.shape.contexts.def.items[0].shape.context.shape;
const userFields = pinnedSchema.shape.users.def.items[0].shape.user.shape;

/** The rules that a pinned kubeconfig keeps, at capture and at each use. Errors never hold what the file holds. */
export function checkPinned(value: unknown, context: string, path: string): PinnedConfig {
  const result = pinnedSchema.safeParse(value);
  if (!result.success) {
    const fields = [...new Set(result.error.issues.map((issue) => issue.path.join('.') || 'file'))].join(', ');
    throw kubeconfigError('malformed', `context ${JSON.stringify(context)} in ${path} is malformed: ${fields}`);
  }
  const config = result.data;
  const [{ name, context: entry }] = config.contexts;
  if (config['current-context'] !== context || name !== context) {
    throw kubeconfigError('malformed', `${path} is not of context ${JSON.stringify(context)}`);
  }
  if (entry.cluster !== config.clusters[0].name || entry.user !== config.users[0].name) {
    throw kubeconfigError(
      'malformed',
      `context ${JSON.stringify(context)} in ${path} names another cluster or user than it holds`,
    );
  }
  requireLocalContext(context);
  requireLocalServer(context, config.clusters[0].cluster.server);
  requireCertificates(config, context);
  return config;
}

/** Lowercase hex, over the bytes of the certificate authority's PEM. */
export function certificateAuthoritySha256(config: PinnedConfig): string {
  const pem = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64');
  return createHash('sha256').update(pem).digest('hex');
}

function refuseUnsupported({ name, context, cluster, user }: ContextSelection, path: string): void {
  requireLocalContext(name);
  requireLocalServer(name, cluster.server);
  if (cluster['proxy-url'] !== undefined) {
    throw kubeconfigError(
      'proxy',
      `cluster ${context.cluster} of context ${name} has a proxy-url: a local API server is reached directly; remove it`,
    );
  }
  const authority = cluster['certificate-authority-data'];
  if (!authority || cluster['insecure-skip-tls-verify'] === true) {
    throw kubeconfigError(
      'no-authority',
      `cluster ${context.cluster} of context ${name} is not verified: it needs certificate-authority-data (or its file), and insecure-skip-tls-verify must not be true`,
    );
  }
  const unsupported = ['exec', 'auth-provider', 'as', 'as-uid', 'as-groups', 'as-user-extra'].filter(
    (field) => user[field] != null,
  );
  if (unsupported.length > 0) {
    // A plugin is a program outside the digest: who we are could change in the middle of a run.
    throw kubeconfigError(
      'credentials-unsupported',
      `user ${context.user} in ${path} uses ${unsupported.join(', ')}, which a digest cannot pin: use a client certificate or a token`,
    );
  }
  for (const field of ['token', 'password']) {
    const value = user[field];
    if (typeof value === 'string' && value !== '' && value.length < shortestSecretCharacters) {
      throw kubeconfigError(
        'credentials-unsupported',
        `the ${field} of user ${context.user} in ${path} is shorter than ${shortestSecretCharacters} characters: it could not be kept out of logs`,
      );
    }
  }
}

function requireCertificates(config: PinnedConfig, context: string): void {
  const [{ user, name }] = config.users;
  const problem = (what: string) =>
    kubeconfigError('credentials-unsupported', `user ${name} of context ${context} ${what}`);
  const certificate = user['client-certificate-data'];
  const key = user['client-key-data'];
  if ((certificate === undefined) !== (key === undefined)) throw problem('has only one of client certificate and key');
  if ((user.username === undefined) !== (user.password === undefined))
    throw problem('has only one of username and password');
  if (certificate === undefined && user.token === undefined && user.username === undefined)
    throw problem('has no credentials');
  if (user.token !== undefined && !/^[!-~]+$/.test(user.token))
    throw problem('has a token that is not printable ASCII');
  if (!parses(() => new X509Certificate(pem(config.clusters[0].cluster['certificate-authority-data'])))) {
    throw kubeconfigError('no-authority', `the certificate authority of context ${context} is not a PEM certificate`);
  }
  if (certificate !== undefined && !parses(() => new X509Certificate(pem(certificate)))) {
    throw problem('has a client certificate that is not PEM');
  }
  if (key !== undefined && !parses(() => createPrivateKey(pem(key)))) throw problem('has a client key that is not PEM');
}

function pem(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

/** The error of a key's parser may quote the key: it goes no further. */
function parses(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

function only(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => (fields[name] == null || fields[name] === '' ? [] : [[name, fields[name]]])),
  );
}
