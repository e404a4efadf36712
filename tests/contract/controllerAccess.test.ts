import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspaceReaderRules } from '../../src/api/access/handedOut.js';
import { optionalGroups } from '../../src/api/access/optionalGroups.js';
import { synthController } from '../../src/infra/charts/controller.js';
import { inApplyOrder } from '../../src/infra/render/applyOrder.js';
import { renderYaml } from '../../src/infra/render/yaml.js';
import { moduleFolder } from '../../src/lab/toolchain/goModule.js';
import { allRules } from './support/allRules.js';
import { readDiscovery } from './support/discovery.js';
import { type Kubectl, kubectlOn } from './support/kubectl.js';
import type { OwnApiServer } from './support/ownApiServer.js';
import { startedApiServer } from './support/realKubeconfig.js';
import { type ResourceDocument, unservedRules } from './support/servedRules.js';

let server: OwnApiServer;
let kubectl: Kubectl;
let served: readonly ResourceDocument[];

const installation = inApplyOrder(synthController());

/** Groups that the lab brings; the other optional ones it lacks. */
const present = ['kueue.x-k8s.io', 'ray.io'];
const account = '--as=system:serviceaccount:tau-system:tau-core-controller';

/** The CRDs of Kueue and KubeRay are those of the modules that the lab builds. */
const crdFolders = [
  { toolchain: 'kubernetes', module: 'sigs.k8s.io/kueue', folder: 'config/components/crd/bases' },
  { toolchain: 'kuberay', module: 'github.com/ray-project/kuberay/ray-operator', folder: 'config/crd/bases' },
];

beforeAll(async () => {
  server = await startedApiServer();
  kubectl = kubectlOn(server.kubeconfigPath);
  const deadline = Date.now() + 90_000;
  while (!(await kubectl(['get', '--raw', '/readyz'])).ok) {
    if (Date.now() > deadline) throw new Error('the API server is not ready after 90 s');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  for (const { toolchain, module, folder } of crdFolders) {
    await demand(['apply', '--server-side', '-f', join(await moduleFolder(toolchain, module), folder)]);
  }
  await demand(['apply', '--server-side', '-f', '-'], renderYaml(installation));
  await demand(['create', 'namespace', 'vision']);
  await demand(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  served = await readDiscovery(kubectl);
}, 240_000);

afterAll(async () => {
  await server?.close();
});

async function demand(argv: readonly string[], input?: string): Promise<string> {
  const answer = await kubectl(argv, input);
  if (!answer.ok) throw new Error(`kubectl ${argv.join(' ')}: ${answer.stderr}`);
  return answer.stdout;
}

it('each rule of this repository names what discovery serves, or an optional group that is lacking', () => {
  const lacking = Object.keys(optionalGroups).filter((group) => !present.includes(group));
  expect(unservedRules(allRules(), served, lacking)).toEqual([]);
});

describe("the controller's account may", () => {
  it('bind the researcher role in a namespace', async () => {
    const argv = [
      'create',
      'rolebinding',
      'r',
      '--namespace=vision',
      '--clusterrole=tau-researcher-v1',
      '--group=vision',
    ];
    expect(await kubectl([...argv, account])).toMatchObject({ ok: true });
  });

  it('bind the ClusterQueue reader in the cluster', async () => {
    const argv = ['create', 'clusterrolebinding', 'r', '--clusterrole=tau-clusterqueue-reader-v1', '--group=vision'];
    expect(await kubectl([...argv, account])).toMatchObject({ ok: true });
  });

  it('make the reader Role of a workspace and bind it, without escalate or bind', async () => {
    const metadata = { name: 'tau-workspace-reader-vision', namespace: 'tau-system' };
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata,
      rules: workspaceReaderRules('vision'),
    };
    expect(await kubectl(['create', account, '-f', '-'], JSON.stringify(role))).toMatchObject({ ok: true });
    const argv = [
      'create',
      'rolebinding',
      metadata.name,
      '--namespace=tau-system',
      `--role=${metadata.name}`,
      '--user=a',
    ];
    expect(await kubectl([...argv, account])).toMatchObject({ ok: true });
  });

  const allowed = [
    'patch workspaces.tau.azure.com --subresource=status -n tau-system',
    'list workloads.kueue.x-k8s.io -A',
    'watch jobs.batch -n vision',
    'delete serviceaccounts -n vision',
    'patch namespaces/vision',
    'patch leases.coordination.k8s.io/tau-core-controller.tau.azure.com -n tau-system',
    'create events -n tau-system',
    'get configmaps/kueue-manager-config -n kueue-system',
  ];
  it.each(allowed)('%s', async (question) => {
    expect((await kubectl(['auth', 'can-i', ...question.split(' '), account])).stdout.trim()).toBe('yes');
  });
});

describe("the controller's account may not", () => {
  it('bind a ClusterRole that is not its own to give', async () => {
    const argv = [
      'create',
      'rolebinding',
      'admin',
      '--namespace=vision',
      '--clusterrole=cluster-admin',
      '--group=vision',
    ];
    const answer = await kubectl([...argv, account]);
    expect(answer.ok).toBe(false);
    expect(answer.stderr).toContain('attempting to grant RBAC permissions not currently held');
  });

  it('make a Role that gives what it does not hold', async () => {
    const argv = ['create', 'role', 'secrets', '--namespace=tau-system', '--verb=get', '--resource=secrets'];
    const answer = await kubectl([...argv, account]);
    expect(answer.ok).toBe(false);
    expect(answer.stderr).toContain('attempting to grant RBAC permissions not currently held');
  });

  const denied = [
    'get secrets -n tau-system',
    'delete namespaces/vision',
    'update teams.tau.azure.com -n tau-system',
    'delete workspaces.tau.azure.com -n tau-system',
    'create pods -n vision',
    'create roles.rbac.authorization.k8s.io -n vision',
    'create leases.coordination.k8s.io -n vision',
    'patch leases.coordination.k8s.io/another -n tau-system',
    'escalate clusterroles.rbac.authorization.k8s.io',
    'bind clusterroles.rbac.authorization.k8s.io/cluster-admin',
    'patch workloads.kueue.x-k8s.io -n vision',
    ...['jobs.batch', 'deployments.apps', 'rayjobs.ray.io', 'rayservices.ray.io'].flatMap((resource) =>
      ['create', 'update', 'patch', 'delete'].map((verb) => `${verb} ${resource} -n vision`),
    ),
  ];
  it.each(denied)('%s', async (question) => {
    expect((await kubectl(['auth', 'can-i', ...question.split(' '), account])).stdout.trim()).toBe('no');
  });
});

describe('a researcher whose namespace drains', () => {
  beforeAll(async () => {
    const argv = [
      'create',
      'rolebinding',
      'd',
      '--namespace=vision',
      '--clusterrole=tau-researcher-drain-v1',
      '--user=d',
    ];
    await demand(argv);
  });
  it.each([
    ['delete jobs.batch', 'yes'],
    ['get pods --subresource=log', 'yes'],
    ['create jobs.batch', 'no'],
    ['patch rayjobs.ray.io', 'no'],
    ['create secrets', 'no'],
  ])('%s: %s', async (question, answer) => {
    const asked = await kubectl(['auth', 'can-i', ...question.split(' '), '--namespace=vision', '--as=d']);
    expect(asked.stdout.trim()).toBe(answer);
  });
});

describe("the controller's pod", () => {
  it('is admitted under the strictest pod security standard, which its namespace enforces', async () => {
    const deployment = installation.find(({ manifest }) => manifest['kind'] === 'Deployment')?.manifest['spec'];
    const { template } = deployment as { template: { metadata: object; spec: object } };
    const pod = (spec: object) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...template.metadata, name: 'tried', namespace: 'tau-system' },
        spec: { ...template.spec, ...spec },
      });
    expect(await kubectl(['create', '--dry-run=server', '-f', '-'], pod({}))).toMatchObject({ ok: true });
    const refused = await kubectl(['create', '--dry-run=server', '-f', '-'], pod({ hostNetwork: true }));
    expect(refused.stderr).toContain('violates PodSecurity "restricted');
  });
});

describe('every rendered object', () => {
  it('is taken again by a strict dry run', async () => {
    const answer = await kubectl(
      ['apply', '--server-side', '--dry-run=server', '--validate=strict', '-f', '-'],
      renderYaml(installation),
    );
    expect(answer).toMatchObject({ ok: true, stderr: '' });
  });
});
