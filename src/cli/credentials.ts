import { randomInt } from 'node:crypto';
import type { Cluster } from '../cluster/cluster.js';
import { isClusterError } from '../cluster/clusterError.js';
import { type KubeObject, objectName, refOf } from '../cluster/objects.js';
import { GateError } from '../core/gateError.js';
import type { Outcome } from '../core/outcome.js';
import { ownershipLabels } from '../infra/constructs/objectMeta.js';
import { names, stackNamespace } from '../infra/names.js';
import { type SecretKey, type SecretValue, secretKeys } from '../infra/secretKeys.js';

const fieldManager = 'raygate-credentials';
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export type CredentialsReport = 'created' | 'present';

/** What there is of the credentials. A Secret that is there is whole. */
export interface CredentialsThere {
  readonly namespace: boolean;
  readonly secret: boolean;
}

/**
 * Reads what there is of the Namespace and the Secret, and changes nothing.
 * @throws GateError `credentials.partial` for a Secret that lacks a key, or for a namespace without it that is not ours:
 * values that others may use are never replaced, and no half set is completed. `credentials.namespace-terminating` and
 * `credentials.unreadable` for what passes.
 */
export async function readCredentials(cluster: Cluster): Promise<CredentialsThere> {
  const namespace = demand(
    await cluster.get({ apiVersion: 'v1', kind: 'Namespace', name: stackNamespace }),
    `Namespace ${stackNamespace}`,
  );
  const secret = demand(
    await cluster.get({ apiVersion: 'v1', kind: 'Secret', namespace: stackNamespace, name: names.secret }),
    `Secret ${stackNamespace}/${names.secret}`,
  );
  if (namespace?.metadata.deletionTimestamp !== undefined) {
    throw new GateError({
      layer: 'preflight',
      code: 'credentials.namespace-terminating',
      message: `Namespace ${stackNamespace} is terminating since ${namespace.metadata.deletionTimestamp}: wait until it is gone, then try again`,
      retryable: true,
    });
  }
  const missing = secret ? missingKeys(secret) : [];
  if (missing.length > 0) throw partial(`Secret ${stackNamespace}/${names.secret} lacks ${missing.join(', ')}`);
  if (!secret && namespace && namespace.metadata.labels?.['app.kubernetes.io/managed-by'] !== 'raygate') {
    throw partial(
      `Namespace ${stackNamespace} is there without the label app.kubernetes.io/managed-by=raygate and without the Secret`,
    );
  }
  return { namespace: namespace !== undefined, secret: secret !== undefined };
}

/**
 * Makes the Namespace and the one Secret, with random values, when neither is there; leaves a whole Secret as it is.
 * @throws GateError as {@link readCredentials}, and `credentials.` with a `ClusterErrorCode` when the API server refuses.
 */
export async function ensureCredentials(cluster: Cluster): Promise<CredentialsReport> {
  const there = await readCredentials(cluster);
  if (there.secret) return 'present';
  if (!there.namespace) {
    await make(cluster, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: stackNamespace, labels: ownershipLabels },
    });
  }
  await make(cluster, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: names.secret, namespace: stackNamespace, labels: ownershipLabels },
    type: 'Opaque',
    stringData: generate(secretKeys),
  });
  return 'created';
}

async function make(cluster: Cluster, object: KubeObject): Promise<void> {
  try {
    await cluster.create(object, { fieldManager });
  } catch (error) {
    if (!isClusterError(error)) throw error;
    throw new GateError({
      layer: 'preflight',
      code: `credentials.${error.code}`,
      message: `${objectName(refOf(object))} could not be made: ${error.message}`,
      retryable: error.retryable,
    });
  }
}

function generate(keys: Readonly<Record<SecretKey, SecretValue>>): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(keys)) {
    if (value.kind === 'fixed') values[key] = value.value;
    if (value.kind === 'random') values[key] = randomText(value.characters);
  }
  for (const [key, value] of Object.entries(keys)) {
    if (value.kind === 'same-as') values[key] = values[value.key] ?? '';
  }
  return values;
}

function randomText(characters: number): string {
  return Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)]).join('');
}

function missingKeys(secret: KubeObject): readonly string[] {
  const data = (secret['data'] ?? {}) as Readonly<Record<string, string>>;
  return Object.keys(secretKeys).filter((key) => !data[key]);
}

function demand(read: Outcome<KubeObject>, what: string): KubeObject | undefined {
  if (read.kind === 'found') return read.value;
  if (read.kind === 'absent') return undefined;
  throw new GateError({
    layer: 'preflight',
    code: 'credentials.unreadable',
    message: `${what} could not be read: ${read.reason}`,
    retryable: read.retryable,
  });
}

function partial(what: string): GateError {
  return new GateError({
    layer: 'preflight',
    code: 'credentials.partial',
    message: `${what}: complete it by hand, or delete the namespace if nobody needs it, then run raygate credentials again`,
  });
}
