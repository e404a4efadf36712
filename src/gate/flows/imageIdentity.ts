import { GateError } from '../../core/gateError.js';
import type { LocalImage } from '../../host/docker.js';
import { podsOf } from '../model/identities.js';
import { asText, at } from '../model/json.js';
import { kinds } from '../model/kinds.js';
import type { Facts } from '../model/observation.js';
import type { RunPlan } from '../model/plan.js';
import { judgeImageIdentity } from '../rules/imageIdentity.js';
import { normaliseImage } from '../rules/imageReference.js';
import { earlier } from './digests.js';
import { wantedLabels } from './images.js';
import { judgeLiveIdentity } from './liveIdentity.js';
import { readLocalImage } from './localImage.js';
import { readUntilAnswered } from './persist.js';
import { readClaims } from './preserved.js';
import { judging, wholeReading } from './readings.js';
import { ownDeadline, type StepContext } from './stepContext.js';

/** What every container of the stack runs, resolved against the local Docker store: ours, and those of third parties. */
export async function runImageIdentity(context: StepContext): Promise<Facts['image-identity']> {
  const { plan } = context;
  const [{ app }, ray] = await Promise.all([earlier(context, 'images'), earlier(context, 'ray')]);
  const store = await context.watch();
  const live = await store.until(
    judging(wholeReading, (reading) =>
      judgeLiveIdentity(reading, plan, { digests: 'judged-later', rayClusterUid: ray.clusterUid }),
    ),
    { deadline: ownDeadline(context), layer: 'image-identity', onProgress: context.progress, confirm: true },
  );
  const pods = podsOf(live);
  const references = pods.flatMap((pod) => [...pod.initContainers, ...pod.containers].map((one) => one.reference));
  const [runtimes, claims] = await Promise.all([readRuntimes(context), readClaims(context)]);
  const verdict = judgeImageIdentity(pods, {
    release: app,
    labels: wantedLabels(plan),
    local: await resolveAll(context, [...new Set(references)]),
    sharedStore: isSharedStore(plan, runtimes),
  });
  if (verdict.kind !== 'ready')
    throw new GateError({ layer: 'image-identity', code: verdict.code, message: verdict.detail });
  return { ...verdict.facts, runtimes, supporting: live.supporting, setupPod: live.setup.pod, claims };
}

/** One after the other: what is not known yet passes whole through `docker save`, and two at once gain nothing. */
async function resolveAll(
  { plan, progress }: StepContext,
  references: readonly string[],
): Promise<Readonly<Record<string, LocalImage>>> {
  const images: Record<string, LocalImage> = {};
  for (const reference of references) {
    progress(`resolving ${reference}`);
    const image = await readLocalImage(plan, reference, 'image-identity');
    if (image !== undefined) images[normaliseImage(reference) ?? reference] = image;
  }
  return images;
}

async function readRuntimes(context: StepContext): Promise<readonly string[]> {
  const nodes = await readUntilAnswered('Node list', () => context.cluster.list(kinds.node), context);
  const runtimes = (nodes?.items ?? []).map((node) =>
    asText(at(node['status'], 'nodeInfo', 'containerRuntimeVersion')),
  );
  return [...new Set(runtimes)].sort();
}

/** cri-dockerd runs out of Docker's own store, and so do the lab's nodes; any other containerd has a store of its own. */
function isSharedStore(plan: RunPlan, runtimes: readonly string[]): boolean {
  return plan.platform === 'lab' || (runtimes.length > 0 && runtimes.every((name) => name.startsWith('docker://')));
}
