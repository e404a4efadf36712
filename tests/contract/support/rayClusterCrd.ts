import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import type { Cluster } from '../../../src/cluster/cluster.js';
import type { KubeObject } from '../../../src/cluster/objects.js';
import { type Deadline, deadlineIn } from '../../../src/core/deadline.js';

const toolchain = fileURLToPath(new URL('../../../lab/toolchain/kuberay', import.meta.url));

/** The CRD of RayCluster, from the Go module that the lab builds its operator of. */
export async function rayClusterCrd(): Promise<KubeObject> {
  const argv = ['list', '-m', '-f', '{{.Dir}}', 'github.com/ray-project/kuberay/ray-operator'];
  const { stdout } = await promisify(execFile)('go', argv, { cwd: toolchain });
  return parse(await readFile(join(stdout.trim(), 'config/crd/bases/ray.io_rayclusters.yaml'), 'utf8'));
}

/** The operator as upstream's base installs it, of no replica: what preflight reads is that it is there, and which. */
const operator = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'kuberay-operator', namespace: 'default' },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'kuberay-operator' } },
    template: {
      metadata: { labels: { app: 'kuberay-operator' } },
      spec: { containers: [{ name: 'kuberay-operator', image: 'quay.io/kuberay/operator:v1.6.2' }] },
    },
  },
};

/** Makes a cluster serve RayClusters, with an operator's Deployment. Returns whether it had to. */
export async function serveRayClusters(cluster: Cluster, deadline: Deadline = deadlineIn(30)): Promise<boolean> {
  const kind = { apiVersion: 'ray.io/v1', kind: 'RayCluster' };
  if ((await cluster.list(kind)).kind === 'found') return false;
  await cluster.apply(await rayClusterCrd(), { fieldManager: 'raygate-contract' });
  while ((await cluster.list(kind)).kind !== 'found') {
    if (deadline.passed()) throw new Error(`RayClusters are not served after ${deadline.limitSeconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await cluster.apply(operator, { fieldManager: 'raygate-contract' });
  return true;
}
