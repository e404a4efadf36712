import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/gate/model/kinds.js';
import {
  KubeClusterQueueV1Beta2,
  KubeLocalQueueV1Beta2,
  KubeResourceFlavorV1Beta2,
  KubeWorkloadV1Beta2,
} from '../../src/infra/imports/kubernetes.js';
import { kuberayVersion } from '../../src/infra/versions.js';

const file = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

/** `tests/contract/imports.test.ts` compares the whole file; it needs the Go modules, this does not. */
describe('the generated kinds', () => {
  it.each([
    { module: 'kubernetes', path: 'k8s.io/kubernetes' },
    { module: 'kuberay', path: 'github.com/ray-project/kuberay/ray-operator' },
    { module: 'kubernetes', path: 'sigs.k8s.io/kueue' },
  ])('are of the version of $path that the lab builds', async ({ module, path }) => {
    const goMod = await file(`lab/toolchain/${module}/go.mod`);
    const version = goMod
      .split('\n')
      .find((line) => line.trim().startsWith(`${path} v`))
      ?.trim()
      .split(' ')[1];
    expect(version).toMatch(/^v\d/);
    expect(await file('src/infra/imports/kubernetes.ts')).toContain(` ${version} (`);
  });

  it('are of the operator that the constructs are written for', async () => {
    expect(await file('src/infra/imports/kubernetes.ts')).toContain(`KubeRay v${kuberayVersion} (CRD)`);
  });

  it.each([
    ['LocalQueue', KubeLocalQueueV1Beta2],
    ['ClusterQueue', KubeClusterQueueV1Beta2],
    ['ResourceFlavor', KubeResourceFlavorV1Beta2],
    ['Workload', KubeWorkloadV1Beta2],
  ])('hold %s of Kueue under the version that the gate reads', (kind, { GVK }) => {
    expect(GVK).toEqual({ ...kinds.workload, kind });
  });
});
