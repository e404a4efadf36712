import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ClusterError } from '../../src/cluster/clusterError.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { checkCluster, dryRunObjects } from '../../src/gate/flows/preflightCluster.js';
import { kinds } from '../../src/gate/model/kinds.js';
import type { PlannedManifest } from '../../src/gate/model/plan.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';

let cluster: FakeCluster;
let server: Server | undefined;

const planned = (
  kind: string,
  name: string,
  fields: object = {},
  phase = 'prerequisite',
  apiVersion = 'v1',
): PlannedManifest => ({
  identity: `${apiVersion}/${kind}/django-ray/${name}`,
  phase,
  manifest: { apiVersion, kind, metadata: { name, namespace: 'django-ray' }, ...fields },
});
const webService = (nodePort: number) =>
  planned('Service', 'django-web-svc', { spec: { ports: [{ port: 80, nodePort }] } });
const check = async (objects: readonly PlannedManifest[] = [], adopt = false) => {
  const persist = { layer: 'preflight', deadline: deadlineIn(5), cluster } as const;
  const operator = await checkCluster({ objects, host: '127.0.0.1', adopt, rayVersion: '2.60.0' }, persist);
  await dryRunObjects(objects, persist);
  return operator;
};
const operator = (image: string) => ({
  ...kinds.deployment,
  metadata: { name: 'kuberay-operator', namespace: 'kuberay-system' },
  spec: { template: { spec: { containers: [{ name: 'kuberay-operator', image }] } } },
});
const crd = { ...kinds.crd, metadata: { name: 'rayclusters.ray.io' } };

beforeEach(() => {
  cluster = fakeCluster();
  cluster.put({ ...crd, status: { conditions: [{ type: 'Established', status: 'True' }] } });
  cluster.put(operator('quay.io/kuberay/operator:v1.6.2'));
});
afterEach(() => new Promise<void>((done) => (server ? server.close(() => done()) : done())));

async function listen(): Promise<number> {
  server = createServer((socket) => socket.end());
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

describe('what the cluster must have before anything is changed', () => {
  test('is the CRD of KubeRay, established, and nothing of ours', async () => {
    await expect(check([planned('ConfigMap', 'a')])).resolves.toMatchObject({ version: '1.6.2' });
    expect(cluster.mutations).toEqual([]);
  });

  test('a cluster without KubeRay is refused', async () => {
    cluster = fakeCluster();
    await expect(check()).rejects.toMatchObject({ layer: 'preflight', code: 'preflight.kuberay-missing' });
  });

  test('a CRD that is not established is refused', async () => {
    cluster.put(crd);
    await expect(check()).rejects.toMatchObject({ code: 'preflight.kuberay-missing' });
  });

  test('a KubeRay of another version is refused by its name', async () => {
    cluster.put(operator('quay.io/kuberay/operator:v1.5.0'));
    await expect(check()).rejects.toMatchObject({
      layer: 'preflight',
      code: 'preflight.operator-unsupported',
      message: expect.stringContaining('KubeRay 1.5.0 (Deployment kuberay-system/kuberay-operator'),
    });
  });

  test('Deployments that may not be read are no cluster without an operator', async () => {
    cluster.failNext('list', new ClusterError({ code: 'forbidden', message: '403' }));
    await expect(check()).rejects.toMatchObject({ code: 'preflight.unreadable' });
  });

  test.each([kinds.clusterRole, kinds.clusterRoleBinding])(
    'a leftover $kind of an older version is refused, with what removes it',
    async (kind) => {
      cluster.put({ ...kind, metadata: { name: 'prometheus-django-ray' } });
      await expect(check()).rejects.toMatchObject({
        code: 'preflight.legacy-access',
        message: expect.stringContaining('kubectl delete'),
      });
    },
  );

  test('a port on which nobody answers is free', async () => {
    await expect(check([webService(1)])).resolves.toMatchObject({ version: '1.6.2' });
  });

  test('a port on which somebody else answers is refused', async () => {
    const port = await listen();
    await expect(check([webService(port)])).rejects.toMatchObject({
      code: 'preflight.port-taken',
      message: expect.stringContaining(`:${port}`),
    });
  });

  test('a port on which our own Service answers is ours', async () => {
    const port = await listen();
    cluster.put({
      ...kinds.service,
      metadata: { name: 'django-web-svc', namespace: 'django-ray', managedFields: [{ manager: 'raygate' }] },
      spec: { ports: [{ nodePort: port }] },
    });
    await expect(check([webService(port)])).resolves.toMatchObject({ version: '1.6.2' });
  });

  const stranger = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'django-ray', managedFields: [{ manager: 'kubectl' }] },
  };

  test('an object of somebody else under our name is refused', async () => {
    cluster.put(stranger);
    await expect(check([planned('ConfigMap', 'a')])).rejects.toMatchObject({
      code: 'preflight.not-ours',
      message: expect.stringContaining('kubectl'),
    });
  });

  test('an object of somebody else is taken over when that was asked for', async () => {
    cluster.put(stranger);
    await expect(check([planned('ConfigMap', 'a')], true)).resolves.toMatchObject({ version: '1.6.2' });
  });

  test('an object that the API server would refuse is refused with its reason', async () => {
    cluster.failNext('apply', new ClusterError({ code: 'invalid', message: 'spec.x: Required value', status: 422 }));
    await expect(check([planned('ConfigMap', 'a')])).rejects.toMatchObject({
      code: 'preflight.dry-run',
      message: expect.stringContaining('spec.x'),
    });
  });

  test('an API server that is away during a dry run is waited for', async () => {
    cluster.failNext(
      'apply',
      new ClusterError({ code: 'unreachable', message: 'connection refused', retryable: true }),
    );
    await expect(check([planned('ConfigMap', 'a')])).resolves.toMatchObject({ version: '1.6.2' });
  });

  test('a preserved object is not tried', async () => {
    cluster.failNext('apply', new ClusterError({ code: 'invalid', message: 'x' }));
    await expect(check([planned('Secret', 's', {}, 'preserved')])).resolves.toMatchObject({ version: '1.6.2' });
  });
});
