import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { KindRef, KubeObject } from '../../cluster/objects.js';
import type { View } from '../../cluster/watchStore.js';
import { deadlineIn } from '../../core/deadline.js';
import { absent, found, type Outcome } from '../../core/outcome.js';
import { inspectImage } from '../../host/docker.js';
import { podsOf } from '../model/identities.js';
import type { RunPlan } from '../model/plan.js';
import type { EvidenceDocument } from '../report/evidence.js';
import { identityPins } from '../rules/pins.js';
import { claimPin, secretPin } from '../rules/preservedPins.js';
import { digestsOf } from './digests.js';
import { dockerOf } from './images.js';
import { type PersistOptions, readUntilAnswered } from './persist.js';
import { keptDigestKey, readClaims, readSecretDigest } from './preserved.js';
import { judging, watchedKinds, wholeReading } from './readings.js';
import { evidencePath, newestRunId, readJson, runFolder } from './stateFolder.js';
import { judgeUnchanged } from './unchanged.js';

/** Seconds in which a pod that is merely unready may become Ready again. */
const settleSeconds = 15;

/** Which run this `up` is: the steps run when their run id changes, and only then. */
export type RunDecision =
  | {
      readonly kind: 'still-proven';
      readonly runId: string;
      readonly since: string;
      readonly checked: readonly string[];
    }
  | { readonly kind: 'continued'; readonly runId: string }
  | { readonly kind: 'new'; readonly runId: string; readonly why: string };

/** Compares the last evidence with what lives now, and finds an unfinished run of the same plan. Reads only. */
export async function decideRun(plan: RunPlan, persist: PersistOptions): Promise<RunDecision> {
  const evidence = await readJson<EvidenceDocument>(evidencePath(plan.stateFolder));
  const newest = await newestRunId(plan.stateFolder);
  if (newest !== undefined && newest !== evidence?.runId) {
    const run = runFolder(plan.stateFolder, newest);
    const started = await run.readMark<{ fingerprint: string }>('started');
    const isVoid = (await run.readMark('void')) !== undefined;
    if (started?.fingerprint === plan.fingerprint && !isVoid) return { kind: 'continued', runId: newest };
  }
  const why = evidence === undefined ? 'nothing was proven yet' : await whyNotProven(plan, persist, evidence);
  if (why === undefined && evidence !== undefined) {
    return {
      kind: 'still-proven',
      runId: evidence.runId,
      since: evidence.finishedAt,
      checked: checkedThings(evidence),
    };
  }
  return { kind: 'new', runId: newRunId(), why: why ?? 'nothing was proven yet' };
}

async function whyNotProven(
  plan: RunPlan,
  persist: PersistOptions,
  evidence: EvidenceDocument,
): Promise<string | undefined> {
  if (evidence.schema !== 'raygate.evidence/2') return 'the last evidence has another form';
  if (evidence.fingerprint !== plan.fingerprint) {
    return evidence.source.tree === plan.source.tree
      ? 'what is deployed, or where, has changed'
      : 'the source tree has changed';
  }
  const { app, legacy } = {
    app: evidence.observations.images.facts.app,
    legacy: evidence.observations.images.facts.legacy,
  };
  for (const image of [app, legacy]) {
    const now = await inspectImage(dockerOf(plan), image.reference, plan.deadlines['command'] ?? 120);
    if (now?.id !== image.id) return `the image ${image.reference} is ${now === undefined ? 'gone' : 'another one'}`;
  }
  const { clusterUid: rayClusterUid } = evidence.identity.ray;
  const { after } = evidence.observations['final-identity'].facts;
  const key = await keptDigestKey(runFolder(plan.stateFolder, evidence.runId));
  const kept = [...after.claims.map(claimPin), ...(after.secret ? [secretPin(after.secret)] : [])];
  const pinned = [{ layer: `run ${evidence.runId}`, pins: [...identityPins(evidence.identity), ...kept] }];
  const [claims, secret] = await Promise.all([
    readClaims(persist),
    key === undefined ? undefined : readSecretDigest(persist, key),
  ]);
  const outside = [...claims.map(claimPin), ...(secret ? [secretPin(secret)] : [])];
  const expected = { digests: digestsOf(app), rayClusterUid, pinned, outside };
  const judge = judging(wholeReading, (reading) => judgeUnchanged(reading, plan, expected));
  // A probe that failed once makes a pod unready for a moment: that alone is no reason to restart everything.
  const settle = deadlineIn(Math.min(settleSeconds, persist.deadline.remainingMs() / 1000));
  for (;;) {
    const live = judge(await listAll(persist, plan.namespace));
    if (live.kind === 'ready') return undefined;
    if (live.kind === 'failed' || settle.passed()) return live.detail;
    await pause(Math.min(1_000, settle.remainingMs()));
  }
}

/** One list of each kind, as the view that the rules read. */
async function listAll(persist: PersistOptions, namespace: string): Promise<View> {
  const key = (kind: KindRef) => `${kind.apiVersion}/${kind.kind}`;
  const lists = new Map<string, Outcome<readonly KubeObject[]>>();
  await Promise.all(
    watchedKinds.map(async (kind) => {
      const read = () => persist.cluster.list(kind, { namespace });
      const answer = await readUntilAnswered(`${kind.kind} list`, read, persist);
      lists.set(key(kind), answer === undefined ? absent : found(answer.items));
    }),
  );
  const list = (kind: KindRef): Outcome<readonly KubeObject[]> => lists.get(key(kind)) ?? { kind: 'absent' };
  return {
    list,
    get: (ref) => {
      const all = list(ref);
      if (all.kind !== 'found') return all;
      const value = all.value.find((object) => object.metadata.name === ref.name);
      return value === undefined ? { kind: 'absent' } : { kind: 'found', value };
    },
  };
}

function checkedThings({ identity, observations }: EvidenceDocument): readonly string[] {
  return [
    `tree ${observations.setup.facts.result.sourceTree.slice(0, 12)}`,
    `RayCluster ${identity.ray.clusterUid}`,
    `${identity.deployments.length + identity.supporting.length} Deployments`,
    `${podsOf(identity).length} pods by UID, image and restarts`,
    '2 images',
    `setup Job ${identity.setup.jobUid}`,
  ];
}

/** `20260131T120000Z-1a2b3c4d`: ids sort by time. */
function newRunId(): string {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  return `${time}-${randomBytes(4).toString('hex')}`;
}
