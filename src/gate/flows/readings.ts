import type { KindRef, KubeObject } from '../../cluster/objects.js';
import type { View } from '../../cluster/watchStore.js';
import { failed, type Unready, type Verdict, waiting } from '../../core/verdict.js';
import { readJob } from '../model/jobFacts.js';
import { gateNamespace, kinds, rayClusterName, setupJobName } from '../model/kinds.js';
import { readPod } from '../model/podFacts.js';
import { readRayCluster } from '../model/rayClusterFacts.js';
import { readDeployment, readReplicaSet } from '../model/rolloutFacts.js';
import type { AppReading } from '../rules/appConverged.js';
import type { RayReading } from '../rules/rayInventory.js';
import type { SetupReading } from '../rules/setupJob.js';

/** The kinds that the gate keeps a watch on. */
export const watchedKinds: readonly KindRef[] = [
  kinds.pod,
  kinds.deployment,
  kinds.replicaSet,
  kinds.job,
  kinds.rayCluster,
];

/** Thrown inside a reading, and turned into a verdict by {@link judging}: nothing is proven on what cannot be read. */
class Unread extends Error {
  constructor(readonly verdict: Unready) {
    super(verdict.detail);
  }
}

/** Turns a rule over a reading into a judgement of the watch's view. */
export function judging<R, F>(read: (view: View) => R, rule: (reading: R) => Verdict<F>): (view: View) => Verdict<F> {
  return (view) => {
    let reading: R;
    try {
      reading = read(view);
    } catch (error) {
      if (error instanceof Unread) return error.verdict;
      throw error;
    }
    return rule(reading);
  };
}

export function rayReading(view: View): RayReading {
  const cluster = listed(view, kinds.rayCluster).find((object) => object.metadata.name === rayClusterName);
  return { cluster: cluster && readRayCluster(cluster), pods: listed(view, kinds.pod).map(readPod) };
}

export function appReading(view: View): AppReading {
  return {
    deployments: listed(view, kinds.deployment).map(readDeployment),
    replicaSets: listed(view, kinds.replicaSet).map(readReplicaSet),
    pods: listed(view, kinds.pod).map(readPod),
  };
}

export function setupReading(view: View): SetupReading {
  const job = listed(view, kinds.job).find((object) => object.metadata.name === setupJobName);
  return { job: job && readJob(job), pods: listed(view, kinds.pod).map(readPod) };
}

/** Everything that the gate proves, at one moment. */
export function wholeReading(view: View) {
  return { ray: rayReading(view), app: appReading(view), setup: setupReading(view) };
}

export function listed(view: View, kind: KindRef): readonly KubeObject[] {
  const outcome = view.list(kind);
  if (outcome.kind === 'found') return outcome.value.filter((object) => object.metadata.namespace === gateNamespace);
  if (outcome.kind === 'absent')
    throw new Unread(failed('watch.unserved', `The API server does not serve ${kind.kind}.`));
  const reason = `${kind.kind} cannot be read: ${outcome.reason}`;
  throw new Unread(outcome.retryable ? waiting('watch.unreadable', reason) : failed('watch.unreadable', reason));
}
