import { createHmac, randomBytes } from 'node:crypto';
import { GateError } from '../../core/gateError.js';
import { listDockerImages, listDockerVolumes } from '../../host/dockerInventory.js';
import { isProcessFailure } from '../../host/process.js';
import { canonicalJson } from '../model/canonicalJson.js';
import { asText, asTextMap, at } from '../model/json.js';
import { gateNamespace, kinds, secretName } from '../model/kinds.js';
import type { RunPlan } from '../model/plan.js';
import type { ClaimSeen, PostgresSeen, PreservedSnapshot } from '../model/preserved.js';
import { dockerOf } from './images.js';
import { type PersistOptions, readUntilAnswered } from './persist.js';
import type { RunFolder } from './stateFolder.js';

/** What a look at preserved things needs: a step's context, or preflight's own. */
export interface PreservedContext extends PersistOptions {
  readonly plan: RunPlan;
  readonly run: RunFolder;
}

/** One look at what a run must leave as it was; PostgreSQL is looked at by whoever can wait for it. */
export async function readPreserved(context: PreservedContext, postgres: PostgresSeen): Promise<PreservedSnapshot> {
  const [claims, secret, namespaces, docker] = await Promise.all([
    readClaims(context),
    digestKey(context.run).then((key) => readSecretDigest(context, key)),
    readNamespaces(context),
    readDocker(context),
  ]);
  return { claims, postgres, secret, namespaces, docker };
}

export async function readClaims(persist: PersistOptions): Promise<readonly ClaimSeen[]> {
  const read = () => persist.cluster.list(kinds.claim, { namespace: gateNamespace });
  const claims = await readUntilAnswered('PersistentVolumeClaim list', read, persist);
  return (claims?.items ?? []).map(({ metadata, ...claim }) => ({
    name: metadata.name,
    uid: metadata.uid ?? '',
    volume: asText(at(claim, 'spec', 'volumeName')),
  }));
}

const digestKeyMark = 'digest-key';

/** The key of a run's digests, if it has one: random, and never out of its folder. */
export async function keptDigestKey(run: RunFolder): Promise<string | undefined> {
  return (await run.readMark<{ key: string }>(digestKeyMark))?.key;
}

async function digestKey(run: RunFolder): Promise<string> {
  const kept = await keptDigestKey(run);
  if (kept !== undefined) return kept;
  const key = randomBytes(32).toString('hex');
  await run.writeMark(digestKeyMark, { key });
  return key;
}

/** Digest of the Secret's data: under the same key equal data gives an equal digest. */
export async function readSecretDigest(persist: PersistOptions, key: string): Promise<PreservedSnapshot['secret']> {
  const ref = { ...kinds.secret, name: secretName, namespace: gateNamespace };
  const secret = await readUntilAnswered(`Secret ${secretName}`, () => persist.cluster.get(ref), persist);
  if (secret === undefined) return undefined;
  const data = canonicalJson(asTextMap(secret['data']));
  return { uid: secret.metadata.uid ?? '', dataDigest: createHmac('sha256', key).update(data).digest('hex') };
}

async function readNamespaces(persist: PersistOptions): Promise<PreservedSnapshot['namespaces']> {
  const all = await readUntilAnswered('Namespace list', () => persist.cluster.list(kinds.namespace), persist);
  return (all?.items ?? [])
    .filter(({ metadata }) => metadata.name !== gateNamespace && metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => ({ name: metadata.name, uid: metadata.uid ?? '' }));
}

async function readDocker({ plan, layer }: PreservedContext): Promise<PreservedSnapshot['docker']> {
  const seconds = plan.deadlines['command'] ?? 120;
  const place = dockerOf(plan);
  const ours = [plan.release.app, plan.release.legacy].map(({ reference }) => reference.replace(/[^:]*$/, ''));
  try {
    const [images, volumes] = await Promise.all([listDockerImages(place, seconds), listDockerVolumes(place, seconds)]);
    const nameless = new Set(images.filter(({ names }) => names.length === 0).map(({ id }) => id));
    const foreign = images.map(({ id, names }) => ({
      id,
      names: names.filter((name) => !ours.some((prefix) => name.startsWith(prefix))),
    }));
    return {
      images: foreign.filter(({ id, names }) => names.length > 0 || nameless.has(id)),
      volumes: volumes.filter(({ anonymous }) => !anonymous).map(({ name }) => name),
      anonymousVolumes: volumes.filter(({ anonymous }) => anonymous).length,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new GateError({
      layer,
      code: `${layer}.docker-unreadable`,
      message: `Docker's images and volumes cannot be listed: ${why}`,
      retryable: isProcessFailure(error),
    });
  }
}
