import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customResourceDefinition } from '../../src/api/apiKind.js';
import { apiKinds } from '../../src/api/apiKinds.js';
import { apiVersion } from '../../src/api/names.js';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { KubeObject } from '../../src/cluster/objects.js';
import { takeSnapshot } from '../../src/cluster/snapshot.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { clusterWide, workspace } from '../builders/workspace.js';
import { type Kubectl, kubectlOn } from './support/kubectl.js';
import type { OwnApiServer } from './support/ownApiServer.js';
import { startedApiServer } from './support/realKubeconfig.js';

const fieldManager = 'raygate-contract';
let server: OwnApiServer;
let folder: string;
let cluster: Cluster;
let kubectl: Kubectl;

/** A server of its own: these kinds are not the lab's to have. */
beforeAll(async () => {
  server = await startedApiServer();
  kubectl = kubectlOn(server.kubeconfigPath);
  folder = await mkdtemp(join(tmpdir(), 'raygate-workspace-api-'));
  cluster = await openCluster(await takeSnapshot({ kubeconfigPath: server.kubeconfigPath, directory: folder }));
  await cluster.waitReachable(deadlineIn(90));
  const system = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tau-system' } };
  await cluster.apply(system, { fieldManager });
  for (const kind of apiKinds)
    await cluster.apply(customResourceDefinition(kind) as unknown as KubeObject, { fieldManager });
  const deadline = deadlineIn(60);
  for (const { kind } of apiKinds)
    while ((await cluster.list({ apiVersion, kind })).kind !== 'found') {
      if (deadline.passed()) throw new Error(`${kind} is not served after 60 s`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
}, 180_000);

afterAll(async () => {
  await cluster?.close();
  await rm(folder, { recursive: true, force: true });
  await server?.close();
});

const quota = (over: object = {}) => ({ flavor: 'a100', resource: 'nvidia.com/gpu', nominalQuota: '8', ...over });
const tried = (object: KubeObject) => cluster.create(object, { fieldManager, dryRun: true });

describe('a TauWorkspace is accepted', () => {
  const rows: readonly [string, KubeObject][] = [
    ['with subject, principal and role', workspace()],
    ['with the role under its full name', workspace({ role: 'tau-researcher-v1' })],
    ['with mode workspace-rbac said outright', workspace({ authorization: { mode: 'workspace-rbac' } })],
    ['with an empty authorization, which means workspace-rbac', workspace({ authorization: {} })],
    ['that grants nothing, in mode cluster-wide', workspace(clusterWide)],
    ['with an empty target namespace', workspace({ target: { namespace: '' } })],
    ['with a target namespace of 63 characters', workspace({ target: { namespace: 'a'.repeat(63) } })],
    ['with a team and quota', workspace({ teamRef: { name: 'vision' }, quota: [quota(), quota({ resource: 'cpu' })] })],
    [
      'with quota in fractions and powers',
      workspace({ quota: [quota({ nominalQuota: '1.5Gi', lendingLimit: '1e3' })] }),
    ],
    ['with a queue', workspace({ queue: 'jobqueue' })],
    ['with no limit of time', workspace({ defaults: { ttlSecondsAfterFinished: null } })],
    ['with the shortest time', workspace({ defaults: { ttlSecondsAfterFinished: 600 } })],
    ['with the longest time', workspace({ defaults: { ttlSecondsAfterFinished: 2147483647 } })],
    ['with an identity', workspace({ workloadIdentity: { serviceAccountName: 'runner', clientId: 'id' } })],
    [
      'with a ServiceAccount of another namespace',
      workspace({ kubernetesSubject: { kind: 'ServiceAccount', name: 'ci', namespace: 'build' } }),
    ],
    ['with a name of 63 characters', workspace({}, { name: 'a'.repeat(63) })],
  ];
  it.each(rows)('%s', async (_, object) => {
    expect((await tried(object)).metadata.name).toBe(object.metadata.name);
  });
});

describe('a TauWorkspace is refused', () => {
  const { spec: _, ...withoutSpec } = workspace();
  const rows: readonly [string, KubeObject, string][] = [
    ['without a spec', withoutSpec as KubeObject, 'spec: Required value'],
    ['without a role', workspace({ role: undefined }), 'needs principalRef, kubernetesSubject and role'],
    ['without a principal', workspace({ principalRef: undefined }), 'needs principalRef, kubernetesSubject and role'],
    [
      'without a subject',
      workspace({ kubernetesSubject: undefined }),
      'needs principalRef, kubernetesSubject and role',
    ],
    ['cluster-wide with a role', workspace({ ...clusterWide, role: 'researcher' }), 'cluster-wide grants nothing'],
    [
      'cluster-wide with a subject',
      workspace({ ...clusterWide, kubernetesSubject: { kind: 'User', name: 'a' } }),
      'cluster-wide grants nothing',
    ],
    [
      'cluster-wide with a principal',
      workspace({ ...clusterWide, principalRef: { provider: 'github', name: 'a' } }),
      'cluster-wide grants nothing',
    ],
    ['in another mode', workspace({ authorization: { mode: 'none' } }), 'spec.authorization.mode'],
    [
      'for another provider',
      workspace({ principalRef: { provider: 'ldap', name: 'a' } }),
      'spec.principalRef.provider',
    ],
    ['for a principal without a name', workspace({ principalRef: { provider: 'entra' } }), 'spec.principalRef.name'],
    ['for a subject of another kind', workspace({ kubernetesSubject: { kind: 'Robot', name: 'a' } }), 'Subject.kind'],
    ['for a subject without a name', workspace({ kubernetesSubject: { kind: 'User', name: '' } }), 'Subject.name'],
    [
      'for a Group with a namespace',
      workspace({ kubernetesSubject: { kind: 'Group', name: 'a', namespace: 'b' } }),
      'is for a ServiceAccount only',
    ],
    ['in another role', workspace({ role: 'admin' }), 'spec.role'],
    ['with a target that is no label', workspace({ target: { namespace: 'Vision_1' } }), 'spec.target.namespace'],
    ['with a target too long', workspace({ target: { namespace: 'a'.repeat(64) } }), 'spec.target.namespace'],
    ['with an empty queue', workspace({ queue: '' }), 'spec.queue'],
    ['with an empty team', workspace({ teamRef: { name: '' } }), 'spec.teamRef.name'],
    ['with the same quota twice', workspace({ quota: [quota(), quota()] }), 'Duplicate value'],
    ['with negative quota', workspace({ quota: [quota({ nominalQuota: '-1' })] }), 'must not be negative'],
    ['with a negative limit', workspace({ quota: [quota({ borrowingLimit: '-1Gi' })] }), 'must not be negative'],
    ['with quota that is no quantity', workspace({ quota: [quota({ nominalQuota: 'much' })] }), 'nominalQuota'],
    ['with a quantity too long', workspace({ quota: [quota({ nominalQuota: '1'.repeat(65) })] }), 'nominalQuota'],
    ['with quota without an amount', workspace({ quota: [{ flavor: 'a', resource: 'cpu' }] }), 'nominalQuota'],
    ['with quota without a flavor', workspace({ quota: [quota({ flavor: '' })] }), 'flavor'],
    [
      'with 257 entries of quota',
      workspace({ quota: Array.from({ length: 257 }, (_, n) => quota({ flavor: `f${n}` })) }),
      'Too many',
    ],
    ['with too short a time', workspace({ defaults: { ttlSecondsAfterFinished: 599 } }), 'ttlSecondsAfterFinished'],
    [
      'with too long a time',
      workspace({ defaults: { ttlSecondsAfterFinished: 2147483648 } }),
      'ttlSecondsAfterFinished',
    ],
    ['with an empty output root', workspace({ defaults: { outputRoot: '' } }), 'spec.defaults.outputRoot'],
    ['with another priority', workspace({ defaults: { priority: 'high' } }), 'spec.defaults.priority'],
    ['with half an identity', workspace({ workloadIdentity: { clientId: 'id' } }), 'serviceAccountName'],
    [
      'with an identity that no ServiceAccount can have',
      workspace({ workloadIdentity: { serviceAccountName: 'Run Ner', clientId: 'id' } }),
      'serviceAccountName',
    ],
    ['with a name that is no label value', workspace({}, { name: 'a'.repeat(64) }), 'at most 63 characters'],
    ['with a field that nobody knows', workspace({ quotas: [] }), 'unknown field "spec.quotas"'],
  ];
  it.each(rows)('%s', async (_, object, message) => {
    await expect(tried(object)).rejects.toThrow(message);
  });
});

describe('the other kinds', () => {
  const object = (kind: string, name: string, spec: object, namespace?: string): KubeObject => ({
    apiVersion,
    kind,
    metadata: { name, ...(namespace ? { namespace } : {}) },
    spec,
  });

  it('TauCluster is one, and has a default queue', async () => {
    const answer = await tried(object('TauCluster', 'cluster', { workspaceDefaults: {} }));
    expect(answer['spec']).toEqual({ workspaceDefaults: { defaultQueue: 'jobqueue' } });
    await expect(tried(object('TauCluster', 'second', {}))).rejects.toThrow('name it cluster');
  });

  it("what others keep in a team's spec stays", async () => {
    const spec = { quota: [quota()], contact: { channel: 'vision' } };
    expect((await tried(object('TauTeam', 'vision', spec, 'tau-system')))['spec']).toEqual(spec);
  });

  it('a quota request names workspace, resource, amount and reason', async () => {
    const spec = { workspace: 'vision', resource: 'h200', requested: 32, reason: 'sweep', mutationMode: 'ReportOnly' };
    expect((await tried(object('TauQuotaRequest', 'more', spec, 'tau-system')))['spec']).toEqual(spec);
    const nothing = { ...spec, requested: 0 };
    await expect(tried(object('TauQuotaRequest', 'more', nothing, 'tau-system'))).rejects.toThrow('spec.requested');
  });
});

describe('a stored workspace', () => {
  const ref = { apiVersion, kind: 'TauWorkspace', name: 'stored', namespace: 'tau-system' };
  const condition = (type: string, over: object = {}) => ({
    type,
    status: 'True',
    reason: 'Tested',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    ...over,
  });
  const patchStatus = (status: object) =>
    cluster.patch(ref, { status }, { type: 'merge', subresource: 'status', fieldManager });

  beforeAll(async () => {
    await cluster.create(workspace({ queue: 'jobqueue', target: { namespace: 'old' } }, { name: 'stored' }), {
      fieldManager,
    });
  });

  it('may change each field: there is no transition rule', async () => {
    const spec = { queue: 'other', target: { namespace: 'new' }, teamRef: { name: 'vision' } };
    const answer = await cluster.patch(ref, { spec }, { type: 'merge', fieldManager });
    expect(answer['spec']).toMatchObject(spec);
  });

  it('takes its status through the subresource only', async () => {
    const ignored = await cluster.patch(ref, { status: { phase: 'Ready' } }, { type: 'merge', fieldManager });
    expect(ignored['status']).toBeUndefined();
    const status = {
      phase: 'Degraded',
      observedGeneration: 2,
      target: { resolvedNamespace: 'old' },
      queue: { localQueue: 'jobqueue', clusterQueue: 'shared', clusterQueueUID: 'u1' },
      ownedClusterQueue: { name: 'tau-ws-stored', uid: 'u2' },
      retainedNamespaces: [{ name: 'old', uid: 'u3', since: '2026-01-01T00:00:00Z' }],
      blockers: [{ kind: 'Job', name: 'train', class: 'running', release: 'the Job ends', labelKeys: ['a', 'b'] }],
      blockerCount: 1,
      lastDrainEvaluation: '2026-01-01T00:00:00Z',
      conditions: [condition('Draining', { reason: 'AcceptedWork' })],
    };
    expect((await patchStatus(status))['status']).toEqual(status);
  });

  it('keeps one condition a type, each under its own manager', async () => {
    const apply = (type: string) =>
      kubectl(
        ['apply', '--server-side', '--subresource=status', `--field-manager=${type}`, '--force-conflicts', '-f', '-'],
        JSON.stringify({
          ...workspace({}, { name: 'stored' }),
          spec: undefined,
          status: { conditions: [condition(type)] },
        }),
      );
    expect(await apply('QueueReady')).toMatchObject({ ok: true });
    expect(await apply('RBACReady')).toMatchObject({ ok: true });
    const found = await cluster.get(ref);
    const status = found.kind === 'found' ? (found.value['status'] as { conditions: { type: string }[] }) : undefined;
    expect(status?.conditions.map(({ type }) => type).sort()).toEqual(['Draining', 'QueueReady', 'RBACReady']);
  });

  it.each([
    ['another phase', { phase: 'Lost' }, 'status.phase'],
    ['the same condition twice', { conditions: [condition('A'), condition('A')] }, 'Duplicate value'],
    ['a condition without a reason', { conditions: [condition('A', { reason: '' })] }, 'reason'],
    [
      'more blockers than are listed',
      {
        blockers: Array.from({ length: 33 }, (_, n) => ({
          kind: 'Job',
          name: `j${n}`,
          class: 'running',
          release: 'it ends',
        })),
      },
      'Too many',
    ],
    ['a blocker of another class', { blockers: [{ kind: 'Job', name: 'j', class: 'lazy', release: 'x' }] }, 'class'],
  ] as const)('takes no status with %s', async (_, status, message) => {
    await expect(patchStatus(status)).rejects.toThrow(message);
  });

  it('is shown by its short name with phase, namespace and queue', async () => {
    const { stdout } = await kubectl(['get', 'tw', 'stored', '--namespace', 'tau-system']);
    expect(stdout).toMatch(/^NAME +PHASE +NAMESPACE +QUEUE +AGE\nstored +Degraded +old +other +/);
  });
});
