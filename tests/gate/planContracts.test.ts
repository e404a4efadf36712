import { describe, expect, test } from 'vitest';
import type { PlannedManifest } from '../../src/gate/model/plan.js';
import { readPlanContracts } from '../../src/gate/model/planContracts.js';
import { synthOverlay } from '../../src/infra/charts/overlay.js';

const tag = 'local-gate-tree-000000000000-00000000';
const image = `django-ray:${tag}`;
const planned = (profile: 'full' | 'lean' | 'lab'): readonly PlannedManifest[] =>
  synthOverlay({
    profile,
    releaseTag: tag,
    sourceTree: '0'.repeat(40),
    archiveUri: 'file:///runtime-env/a.zip',
    runtimeEnvAccess: 'RWX',
  });

/** The plan with one manifest changed. */
function changed(name: string, change: (manifest: Record<string, unknown>) => void): readonly PlannedManifest[] {
  return planned('full').map((object) => {
    if (!object.identity.endsWith(name)) return object;
    const manifest = structuredClone(object.manifest) as Record<string, unknown>;
    change(manifest);
    return { ...object, manifest };
  });
}

describe('the contracts of the real overlay', () => {
  test.each([
    ['full', [2, 1, 1, 1], 4],
    ['lean', [1, 1, 1, 1], 2],
    ['lab', undefined, undefined],
  ] as const)('of profile %s can be proven', (profile, replicas, workers) => {
    const reading = readPlanContracts(planned(profile), image);
    if (!reading.ok) throw new Error(reading.problems.join('; '));
    const { deployments, setup, topology } = reading.contracts;
    expect(deployments.map((one) => one.name)).toEqual([
      'django-ray-worker',
      'django-ray-worker-ml',
      'django-ray-worker-sync',
      'django-web',
    ]);
    if (replicas) expect(deployments.map((one) => one.replicas)).toEqual(replicas);
    expect(setup.pod.containers).toEqual([{ name: 'django-setup', image }]);
    if (workers) expect(topology.groups[0]?.replicas).toBe(workers);
    expect(topology.head.containers.map((one) => one.name)).toEqual(['ray-head', 'dashboard-importer']);
  });

  test('the selectors of the Deployments are disjoint', () => {
    const reading = readPlanContracts(planned('full'), image);
    if (!reading.ok) throw new Error(reading.problems.join('; '));
    const selectors = reading.contracts.deployments.map((one) => JSON.stringify(one.selector));
    expect(new Set(selectors).size).toBe(4);
  });
});

describe('a plan that cannot be proven is refused with every reason', () => {
  const spec = (manifest: Record<string, unknown>) => manifest['spec'] as Record<string, unknown>;

  test.each([
    [
      'a manager without replicas',
      changed('/django-ray-worker-ml', (m) => {
        spec(m)['replicas'] = 0;
      }),
      'replicas must be',
    ],
    [
      'an autoscaled RayCluster',
      changed('/ray', (m) => {
        spec(m)['enableInTreeAutoscaling'] = true;
      }),
      'enableInTreeAutoscaling',
    ],
    [
      'another setup image',
      changed('/django-setup', (m) => {
        (spec(m)['template'] as { spec: { containers: { image: string }[] } }).spec.containers.forEach((one) => {
          one.image = 'other:1';
        });
      }),
      'setup Job must have',
    ],
    ['no setup Job', planned('full').filter((object) => object.phase !== 'setup'), '0 setup Jobs'],
    [
      'no RayCluster',
      planned('full').filter((object) => object.manifest['kind'] !== 'RayCluster'),
      'exactly one RayCluster',
    ],
  ])('%s', (_, objects, problem) => {
    const reading = readPlanContracts(objects, image);
    expect(reading.ok ? '' : reading.problems.join('; ')).toContain(problem);
  });

  test('a Deployment whose containers run another tag', () => {
    const reading = readPlanContracts(planned('full'), 'django-ray:other');
    expect(reading.ok ? [] : reading.problems).toHaveLength(5);
  });
});
