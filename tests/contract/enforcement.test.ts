import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { KubeObject } from '../../src/cluster/objects.js';
import { takeSnapshot } from '../../src/cluster/snapshot.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { gateAccess } from '../../src/gate/model/declaredAccess.js';
import { gateLeaseName } from '../../src/gate/model/kinds.js';
import { judgeAccess } from '../../src/gate/rules/accessGranted.js';
import { synthOverlay } from '../../src/infra/charts/overlay.js';
import { deployerUsername } from '../../src/infra/enforce/deployer.js';
import { enforcementPlan } from '../../src/infra/enforce/enforcementPlan.js';
import type { PlannedObject } from '../../src/infra/plannedObject.js';
import { placeholderArchiveUri, placeholderReleaseTag, placeholderSourceTree } from '../../src/infra/releaseTag.js';
import { type Kubectl, kubectlOn } from './support/kubectl.js';
import type { OwnApiServer } from './support/ownApiServer.js';
import { serveRayClusters } from './support/rayClusterCrd.js';
import { startedApiServer } from './support/realKubeconfig.js';

const namespace = 'django-ray';
const fieldManager = 'raygate';
const overlay = synthOverlay({
  profile: 'lean',
  releaseTag: placeholderReleaseTag,
  sourceTree: placeholderSourceTree,
  archiveUri: placeholderArchiveUri,
  runtimeEnvAccess: 'RWX',
});
const plan = enforcementPlan(overlay, gateAccess);
const applied = overlay.filter(({ phase }) => phase !== 'preserved' && phase !== 'setup');
const as = `--as=${deployerUsername}`;

let server: OwnApiServer;
let folder: string;
/** The user, who may do everything, and the account. */
let user: Cluster;
let deployer: Cluster;
let kubectl: Kubectl;

const objectOf = ({ manifest }: PlannedObject) => manifest as unknown as KubeObject;
const configMap = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
});
const pod = (name: string, controller?: { kind: string; name: string }, container = 'a'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace,
    ...(controller && {
      ownerReferences: [{ apiVersion: 'ray.io/v1', uid: 'of-the-owner', controller: true, ...controller }],
    }),
  },
  spec: { containers: [{ name: container, image: 'a:1' }] },
});

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = deadlineIn(30);
  while (!(await holds())) {
    if (deadline.passed()) throw new Error(`not after 30 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function enforce(retired: readonly string[] = []): Promise<void> {
  const { objects, rules } = plan.confine(retired);
  for (const object of objects) await user.apply(objectOf(object), { fieldManager, force: true });
  await until('the roles are in force', async () => {
    const granted = await deployer.ownRules(namespace);
    return (
      granted.kind === 'found' && judgeAccess({ username: deployerUsername, rules }, granted.value).kind === 'ready'
    );
  });
  await until('the policy is in force', async () => {
    // Its roles let the account create any Lease: only the policy refuses this one.
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'tried', namespace } };
    const refused = await deployer.create(lease, { fieldManager, dryRun: true }).catch((error: Error) => error.message);
    return String(refused).includes('not in the inventory');
  });
}

beforeAll(async () => {
  server = await startedApiServer();
  kubectl = kubectlOn(server.kubeconfigPath);
  folder = await mkdtemp(join(tmpdir(), 'raygate-enforce-'));
  const from = { kubeconfigPath: server.kubeconfigPath, directory: folder };
  user = await openCluster(await takeSnapshot(from));
  deployer = await openCluster(await takeSnapshot({ ...from, actAs: deployerUsername }));
  await user.waitReachable(deadlineIn(90));
  await serveRayClusters(user);
  await user.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, { fieldManager: 'user' });
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'django-ray-secret', namespace } };
  await user.create(secret, { fieldManager: 'user' });
  await user.create(configMap('theirs'), { fieldManager: 'user' });
  await enforce();
}, 240_000);

afterAll(async () => {
  await deployer?.close();
  await user?.close();
  await server?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

describe("the deployer's account may", () => {
  it.each(applied)('apply $identity, and apply it again', async (object) => {
    for (let time = 0; time < 2; time += 1)
      expect((await deployer.apply(objectOf(object), { fieldManager })).metadata.name).toBeTruthy();
  });

  it('follow a deletion: list and watch each kind that it applies', async () => {
    for (const { manifest } of applied.filter(({ scope }) => scope === 'namespaced')) {
      const { apiVersion, kind } = objectOf({ manifest } as PlannedObject);
      expect((await deployer.list({ apiVersion, kind }, { namespace })).kind, kind).toBe('found');
    }
  });

  it('make and take away the setup Job', async () => {
    const job = objectOf(overlay.find(({ phase }) => phase === 'setup') as PlannedObject);
    await deployer.create(job, { fieldManager });
    const { apiVersion, kind, metadata } = job;
    expect(await deployer.remove({ apiVersion, kind, name: metadata.name, namespace })).toBe('deleted');
  });

  it('hold the Lease of the gate', async () => {
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: gateLeaseName, namespace } };
    await deployer.create(lease, { fieldManager });
    await deployer.patch(
      { ...lease, name: gateLeaseName, namespace },
      { spec: { holderIdentity: 'x' } },
      { fieldManager, type: 'merge' },
    );
  });

  it('delete a pod of our RayCluster', async () => {
    await user.create(pod('ray-old', { kind: 'RayCluster', name: 'ray' }), { fieldManager: 'user' });
    expect(await deployer.remove({ apiVersion: 'v1', kind: 'Pod', name: 'ray-old', namespace })).toBe('deleted');
  });

  it('run a command in a container of Ray', async () => {
    await user.create(pod('ray-node', { kind: 'RayCluster', name: 'ray' }, 'ray-head'), { fieldManager: 'user' });
    const said = await kubectl([
      'get',
      '--raw',
      `/api/v1/namespaces/${namespace}/pods/ray-node/exec?container=ray-head&command=true`,
      as,
    ]);
    // Roles and policy let it through to the node, which there is none of here.
    expect(said.stderr).toContain('does not have a host assigned');
  });

  it('read the nodes', async () => {
    expect((await deployer.list({ apiVersion: 'v1', kind: 'Node' })).kind).toBe('found');
  });

  it('read the one Secret, and no other', async () => {
    const read = (name: string) => deployer.get({ apiVersion: 'v1', kind: 'Secret', name, namespace });
    expect((await read('django-ray-secret')).kind).toBe('found');
    expect((await read('other')).kind).toBe('unreadable');
  });

  it('delete what an earlier inventory had, and not write it', async () => {
    await user.create(configMap('old'), { fieldManager: 'user' });
    const remove = () => deployer.remove({ apiVersion: 'v1', kind: 'ConfigMap', name: 'old', namespace });
    await expect(remove()).rejects.toThrow('cannot delete');
    await enforce(['v1/ConfigMap/django-ray/old']);
    await expect(deployer.apply(configMap('old'), { fieldManager })).rejects.toThrow('cannot patch');
    // The policy knows of it a moment after the roles.
    await until('it may be deleted', () =>
      remove().then(
        () => true,
        () => false,
      ),
    );
    await enforce();
  });
});

interface Attempt {
  readonly name: string;
  readonly argv: readonly string[];
  readonly input?: unknown;
  /** What the policy says of it, alone. */
  readonly policy: string;
}

const here = `--namespace=${namespace}`;
const stray = 'is not in the inventory of this stack';
const part = 'is a subresource: raygate writes whole objects only';

const attempts: readonly Attempt[] = [
  {
    name: 'a ConfigMap that is not in the inventory',
    argv: ['create', 'configmap', 'stray', here],
    policy: `ConfigMap django-ray/stray ${stray}`,
  },
  {
    name: 'the same by server-side apply',
    argv: ['apply', '--server-side', '-f', '-'],
    input: configMap('stray'),
    policy: `ConfigMap django-ray/stray ${stray}`,
  },
  {
    name: 'the name of one of its ConfigMaps in another namespace',
    argv: ['create', 'configmap', 'django-ray-config', '--namespace=default'],
    policy: `ConfigMap default/django-ray-config ${stray}`,
  },
  {
    name: 'the name of one of its ConfigMaps for a Secret',
    argv: ['create', 'secret', 'generic', 'django-ray-config', here],
    policy: `Secret django-ray/django-ray-config ${stray}`,
  },
  {
    name: 'a generated name',
    argv: ['create', '-f', '-'],
    input: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'django-ray-config', namespace } },
    policy: `ConfigMap django-ray/`,
  },
  {
    name: 'a ClusterRole',
    argv: ['create', 'clusterrole', 'stray', '--verb=get', '--resource=pods'],
    policy: `ClusterRole stray ${stray}`,
  },
  {
    name: 'a binding to cluster-admin',
    argv: ['create', 'rolebinding', 'stray', '--clusterrole=cluster-admin', '--user=x', here],
    policy: `RoleBinding django-ray/stray ${stray}`,
  },
  {
    name: 'its own Role',
    argv: ['patch', 'role', 'raygate-deployer', '--type=merge', '-p', '{"rules":[]}', here],
    policy: `Role django-ray/raygate-deployer ${stray}`,
  },
  {
    name: 'patching the Secret',
    argv: ['patch', 'secret', 'django-ray-secret', '-p', '{"stringData":{"A":"b"}}', here],
    policy: `Secret django-ray/django-ray-secret ${stray}`,
  },
  {
    name: "deleting another's object",
    argv: ['delete', 'configmap', 'theirs', here],
    policy: `ConfigMap django-ray/theirs ${stray}`,
  },
  {
    name: 'deleting a whole collection',
    argv: ['delete', '--raw', `/api/v1/namespaces/${namespace}/configmaps`],
    policy: stray,
  },
  {
    name: 'deleting the Namespace',
    argv: ['delete', 'namespace', namespace, '--wait=false'],
    policy: 'outlives the stack: it is not deleted',
  },
  {
    name: 'another Namespace',
    argv: ['create', 'namespace', 'stray'],
    policy: `stray ${stray}`,
  },
  {
    name: 'deleting the claim with the data',
    argv: ['delete', 'persistentvolumeclaim', 'postgres-pvc', here, '--wait=false'],
    policy: 'PersistentVolumeClaim django-ray/postgres-pvc outlives the stack: it is not deleted',
  },
  {
    name: 'a pod',
    argv: ['create', '-f', '-'],
    input: pod('new', { kind: 'RayCluster', name: 'ray' }),
    policy: `Pod django-ray/new ${stray}`,
  },
  {
    name: 'deleting a pod that no RayCluster controls',
    argv: ['delete', 'pod', 'free', here, '--wait=false'],
    policy: `Pod django-ray/free ${stray}`,
  },
  {
    name: 'deleting a pod of another RayCluster',
    argv: ['delete', 'pod', 'other-ray', here, '--wait=false'],
    policy: `Pod django-ray/other-ray ${stray}`,
  },
  {
    name: "running a command in a container that is none of Ray's",
    argv: ['get', '--raw', `/api/v1/namespaces/${namespace}/pods/free/exec?container=a&command=true&stdout=true`],
    policy: 'PodExecOptions django-ray/free/exec is in no container of Ray: raygate runs commands in those only',
  },
  {
    name: 'evicting a pod',
    argv: ['create', '--raw', `/api/v1/namespaces/${namespace}/pods/free/eviction`, '-f', '-'],
    input: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'free', namespace } },
    policy: `Eviction django-ray/free/eviction ${part}`,
  },
  {
    name: 'a token for another account',
    argv: ['create', 'token', 'prometheus', here],
    policy: `TokenRequest django-ray/prometheus/token ${part}`,
  },
  {
    name: 'scaling a Deployment past its plan',
    argv: ['scale', 'deployment', 'django-web', '--replicas=0', here],
    policy: `Scale django-ray/django-web/scale ${part}`,
  },
  {
    name: 'the status of a Deployment',
    argv: [
      'patch',
      'deployment',
      'django-web',
      '--subresource=status',
      '--type=merge',
      '-p',
      '{"status":{"replicas":9}}',
      here,
    ],
    policy: `Deployment django-ray/django-web/status ${part}`,
  },
  {
    name: 'a Job beside the setup Job, which its roles cannot tell from it',
    argv: ['create', 'job', 'stray', '--image=a:1', here],
    policy: `Job django-ray/stray ${stray}`,
  },
];

/** Only the policy tells these from what the gate may do. */
const beyondRoles = [
  'a Job beside the setup Job, which its roles cannot tell from it',
  'deleting a pod that no RayCluster controls',
  'deleting a pod of another RayCluster',
  "running a command in a container that is none of Ray's",
];

async function refusal({ argv, input }: Attempt): Promise<string> {
  const answer = await kubectl([...argv, as], input === undefined ? undefined : JSON.stringify(input));
  expect(answer.ok).toBe(false);
  return answer.stderr;
}

describe("the deployer's account may not", () => {
  beforeAll(async () => {
    await user.create(pod('free'), { fieldManager: 'user' });
    await user.create(pod('other-ray', { kind: 'RayCluster', name: 'theirs' }), { fieldManager: 'user' });
  });

  it.each(attempts)('write $name', async (attempt) => {
    const said = await refusal(attempt);
    if (beyondRoles.includes(attempt.name)) expect(said).toContain(attempt.policy);
    else expect(said).toContain(`User "${deployerUsername}" cannot `);
  });

  it.each([
    ['take the policy away', ['delete', 'validatingadmissionpolicy', 'raygate-deployer']],
    ['take its binding away', ['delete', 'validatingadmissionpolicybinding', 'raygate-deployer']],
  ])('%s', async (_, argv) => {
    expect((await kubectl([...argv, as])).stderr).toContain(`User "${deployerUsername}" cannot delete`);
  });

  describe('even if somebody makes it cluster-admin', () => {
    const binding = 'raygate-deployer-too-much';
    beforeAll(async () => {
      const argv = ['create', 'clusterrolebinding', binding, '--clusterrole=cluster-admin'];
      await kubectl([...argv, `--serviceaccount=${namespace}:raygate-deployer`]);
      await until('it is cluster-admin', async () => {
        const granted = await deployer.ownRules(namespace);
        return granted.kind === 'found' && granted.value.some(({ verbs }) => verbs.includes('*'));
      });
    });
    afterAll(async () => {
      await kubectl(['delete', 'clusterrolebinding', binding]);
    });

    it.each(attempts)('write $name: the policy names it', async (attempt) => {
      const said = await refusal(attempt);
      expect(said).toContain("ValidatingAdmissionPolicy 'raygate-deployer'");
      expect(said).toContain(attempt.policy);
    });
  });
});

describe("the user's own account", () => {
  const own = attempts.filter(({ argv }) => ['create', 'patch', 'delete', 'scale', 'apply'].includes(argv[0] ?? ''));
  const dryRun = own.filter(({ argv }) => !argv.includes('--raw') && argv[1] !== 'token');

  it.each(dryRun)('may write $name', async ({ argv, input }) => {
    const answer = await kubectl(
      [...argv, '--dry-run=server'],
      input === undefined ? undefined : JSON.stringify(input),
    );
    expect(answer).toMatchObject({ ok: true });
  });

  it('may make a token for an account', async () => {
    expect(await kubectl(['create', 'token', 'prometheus', here])).toMatchObject({ ok: true });
  });
});
