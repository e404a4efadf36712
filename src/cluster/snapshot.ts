import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redactor } from '../core/redaction.js';
import { credentialsOf } from './credentials.js';
import { flatten } from './flatten.js';
import { kubeconfigError } from './kubeconfigError.js';
import { selectContext } from './kubeconfigFile.js';
import { actingAs, certificateAuthoritySha256, checkPinned, type PinnedConfig, pin } from './pinnedConfig.js';
import { readPrivateFile, writePrivateFile } from './privateFile.js';

/** A kubeconfig of one cluster, one user and one context, checked, on disk with mode 0600, and pinned by its digest. */
export interface KubeconfigSnapshot {
  readonly path: string;
  /** Lowercase hex, over the exact bytes of the file. */
  readonly sha256: string;
  readonly context: string;
  readonly server: string;
  /** Lowercase hex, over the PEM of the cluster's certificate authority: Pulumi's `clusterIdentifier`. */
  readonly certificateAuthoritySha256: string;
  /** What must never be printed: register each with the redactor. */
  readonly secrets: readonly string[];
}

export interface SnapshotRef {
  readonly path: string;
  readonly sha256: string;
  readonly context: string;
}

export interface SnapshotOptions {
  /** The file to take from. No environment variable is looked at. */
  readonly kubeconfigPath: string;
  /** Default: the file's current context. */
  readonly context?: string | undefined;
  /** `system:serviceaccount:NAMESPACE:NAME`: whom every request acts as, with the user's credentials. Default: the user. */
  readonly actAs?: string | undefined;
  /** An existing folder of ours with mode 0700. */
  readonly directory: string;
  /** Learns the credentials before anything else is looked at, so that they are known also when the snapshot is refused. */
  readonly redactor?: Redactor;
}

const largestFileBytes = 1_048_576;

/**
 * Takes one context out of a kubeconfig, reads in the files that it names, checks it (a local context's name, a local
 * https server, verified by an authority, no proxy, no plugin) and writes it, once, under a name made of its digest. Taking
 * an unchanged kubeconfig again gives the same file. Throws `GateError` (`kubeconfig.*`) and then writes nothing.
 */
export async function takeSnapshot(options: SnapshotOptions): Promise<KubeconfigSnapshot> {
  const { kubeconfigPath, redactor } = options;
  const selection = selectContext(await readKubeconfig(kubeconfigPath), kubeconfigPath, options.context);
  const flat = await flatten(selection, kubeconfigPath);
  const secrets = credentialsOf(flat.user, kubeconfigPath);
  for (const secret of secrets) redactor?.register(secret);
  const pinned = pin(flat, kubeconfigPath);
  const config = options.actAs === undefined ? pinned : actingAs(pinned, options.actAs, kubeconfigPath);
  const content = Buffer.from(`${JSON.stringify(config, undefined, 2)}\n`, 'utf8');
  const sha256 = createHash('sha256').update(content).digest('hex');
  const path = join(options.directory, `kubeconfig-${sha256.slice(0, 16)}.json`);
  await writePrivateFile(path, content);
  // Whether just written or there already: what counts is what can be read back.
  return readSnapshot({ path, sha256, context: selection.name });
}

/** Reads a snapshot again: the same bytes, still private, still of that context, by the same rules. */
export async function readSnapshot(ref: SnapshotRef): Promise<KubeconfigSnapshot> {
  return describe(ref, await readPinnedConfig(ref));
}

/** The exact text of a snapshot, verified, for what takes a kubeconfig's content (Pulumi's provider). It is a secret. */
export async function readSnapshotContent(ref: SnapshotRef): Promise<string> {
  return (await readVerified(ref)).toString('utf8');
}

/** A snapshot's verified content, for the client. */
export async function readPinnedConfig(ref: SnapshotRef): Promise<PinnedConfig> {
  const content = await readVerified(ref);
  return checkPinned(parseQuietly(content.toString('utf8')), ref.context, ref.path);
}

/** Refuses a snapshot whose file is not what it was. */
export async function verifySnapshot(ref: SnapshotRef): Promise<void> {
  await readVerified(ref);
}

async function readVerified(ref: SnapshotRef): Promise<Buffer> {
  const content = await readPrivateFile(ref.path);
  if (createHash('sha256').update(content).digest('hex') === ref.sha256) return content;
  throw kubeconfigError('changed', `kubeconfig snapshot ${ref.path} is not what was pinned: run again from the start`);
}

function describe(ref: SnapshotRef, config: PinnedConfig): KubeconfigSnapshot {
  return {
    path: ref.path,
    sha256: ref.sha256,
    context: ref.context,
    server: config.clusters[0].cluster.server,
    certificateAuthoritySha256: certificateAuthoritySha256(config),
    secrets: credentialsOf(config.users[0].user, ref.path),
  };
}

async function readKubeconfig(path: string): Promise<string> {
  const size = await stat(path).then(
    (entry) => (entry.isFile() ? entry.size : undefined),
    () => undefined,
  );
  if (size === undefined) {
    throw kubeconfigError('unreadable', `kubeconfig ${path} cannot be read: give the path of one that exists`);
  }
  if (size > largestFileBytes)
    throw kubeconfigError('malformed', `kubeconfig ${path} is larger than ${largestFileBytes} bytes`);
  return readFile(path, 'utf8');
}

function parseQuietly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
