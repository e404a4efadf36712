import { convergedExpectation, rayPodsSha256 } from '../../src/gate/flows/ray.js';
import { rayReading } from '../../src/gate/flows/readings.js';
import type { StepContext } from '../../src/gate/flows/stepContext.js';
import { judgeRayConverged } from '../../src/gate/rules/rayConverged.js';
import { rayClusterObject, rayPodObject } from '../builders/objects.js';
import type { FakeCluster } from './cluster.js';

/** Puts a converged Ray into the cluster (head-a, worker-a, worker-b) and keeps it as what this run's layer `ray` proved. */
export async function provenRay(context: StepContext, cluster: FakeCluster): Promise<void> {
  cluster.put(rayClusterObject());
  cluster.put(rayPodObject('head-a', 'head'));
  for (const name of ['worker-a', 'worker-b']) cluster.put(rayPodObject(name, 'worker'));
  const verdict = judgeRayConverged(
    rayReading(cluster.watch([]).view()),
    convergedExpectation(context.plan, undefined),
  );
  if (verdict.kind !== 'ready') throw new Error(verdict.detail);
  await context.run.writeObservation({
    schema: 'raygate.observation/1',
    layer: 'ray',
    runId: context.runId,
    startedAt: '',
    endedAt: '',
    seconds: 0,
    waits: [],
    facts: { ...verdict.facts, restart: 'performed', retiredUids: [], podsSha256: rayPodsSha256(verdict.facts) },
  });
}
