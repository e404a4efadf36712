import { CustomResource } from '@pulumi/kubernetes/apiextensions/customResource.js';
import { ConfigMap } from '@pulumi/kubernetes/core/v1/configMap.js';
import { ServiceAccount } from '@pulumi/kubernetes/core/v1/serviceAccount.js';
import { Provider } from '@pulumi/kubernetes/provider.js';
import * as pulumi from '@pulumi/pulumi';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registerConfinement } from '../../src/infra/deploy/confinement.js';
import { type PhaseArgs, PhaseObjects } from '../../src/infra/deploy/phase.js';
import { createProvider } from '../../src/infra/deploy/provider.js';
import type { PlannedObject } from '../../src/infra/plannedObject.js';
import { configMap, deployment, namespace, planned } from '../builders/plan.js';

interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

let registered: Registered[] = [];

/** Runs as the program of a stack, against an engine that records what is registered. */
async function program(body: () => void): Promise<readonly Registered[]> {
  registered = [];
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs }) => {
        registered.push({ type, name, inputs });
        return { id: `${name}-id`, state: inputs };
      },
      call: ({ inputs }) => inputs,
    },
    'raygate',
    'test',
    false,
  );
  let refusal: unknown;
  await pulumi.runtime.runInPulumiStack(async () => {
    try {
      body();
    } catch (error) {
      // Thrown on only after the engine is done, or every resource of the stack would be rejected for it as well.
      refusal = error;
    }
  });
  await pulumi.runtime.disconnect();
  if (refusal !== undefined) throw refusal;
  return registered;
}

const provider = (name = 'cluster') =>
  createProvider(name, { kubeconfig: 'content', context: 'docker-desktop', clusterIdentifier: 'ca' });
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys', namespace: 'django-ray' } };
const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'setup', namespace: 'django-ray' } };
const plan: readonly PlannedObject[] = [
  planned(namespace()),
  planned(configMap()),
  planned(secret, 'preserved'),
  planned(job, 'setup'),
  planned(deployment('web'), 'workload'),
  planned(deployment('worker'), 'rollout'),
];

beforeEach(() => {
  process.env['KUBECONFIG'] = '/somebody/else';
});
afterEach(() => {
  delete process.env['KUBECONFIG'];
});

describe('createProvider', () => {
  it('takes nothing from the environment', async () => {
    process.env['PULUMI_K8S_DELETE_UNREACHABLE'] = 'true';
    try {
      const [, made] = await program(() => void provider());
      expect(made).toMatchObject({
        type: 'pulumi:providers:kubernetes',
        inputs: {
          context: 'docker-desktop',
          clusterIdentifier: 'ca',
          deleteUnreachable: 'false',
          enableServerSideApply: 'true',
        },
      });
      expect(JSON.stringify(made)).not.toContain('/somebody/else');
    } finally {
      delete process.env['PULUMI_K8S_DELETE_UNREACHABLE'];
    }
  });
});

describe('PhaseObjects', () => {
  const run = async (args: Omit<PhaseArgs, 'objects'>) =>
    (await program(() => void new PhaseObjects('phase', { ...args, objects: plan }, { provider: provider() }))).filter(
      (resource) => resource.type.startsWith('kubernetes:'),
    );

  it('registers the objects of its phase under their kind and name, the Namespace as a patch and first', async () => {
    const made = await run({ phase: 'prerequisite' });
    expect(made.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'kubernetes:core/v1:NamespacePatch Namespace/django-ray',
      'kubernetes:core/v1:ConfigMap ConfigMap/settings',
    ]);
  });

  it('applies as field manager raygate and waits for nothing', async () => {
    const [, made] = await run({ phase: 'prerequisite' });
    expect(made?.inputs['metadata']).toEqual({
      name: 'settings',
      namespace: 'django-ray',
      annotations: { 'pulumi.com/patchFieldManager': 'raygate', 'pulumi.com/skipAwait': 'true' },
    });
  });

  it('takes fields of others over only when it adopts', async () => {
    const [, made] = await run({ phase: 'prerequisite', adopt: true });
    expect(made?.inputs['metadata']).toMatchObject({ annotations: { 'pulumi.com/patchForce': 'true' } });
  });

  it('waits for the deletion of Deployments, hence for their uid', async () => {
    const [made] = await run({ phase: 'workload' });
    expect(made).toMatchObject({
      type: 'kubernetes:apps/v1:Deployment',
      inputs: {
        metadata: {
          annotations: { 'pulumi.com/patchFieldManager': 'raygate', 'pulumi.com/waitFor': 'jsonpath={.metadata.uid}' },
        },
      },
    });
  });

  it.each([
    {
      name: 'puts a restart on the pods of a rollout',
      args: { phase: 'rollout', restart: 'run-1' },
      annotations: { 'raygate/restart': 'run-1' },
    },
    { name: 'puts none on a rollout without one', args: { phase: 'rollout' }, annotations: undefined },
    { name: 'puts none on another phase', args: { phase: 'workload', restart: 'run-1' }, annotations: undefined },
  ] as const)('$name', async ({ args, annotations }) => {
    const [made] = await run(args);
    const spec = made?.inputs['spec'] as { template: { metadata: { annotations?: object } } };
    expect(spec.template.metadata.annotations).toEqual(annotations);
  });
});

describe('an object of a core kind', () => {
  it('that has no class is refused, since it would have another type token than Pulumi gives it', async () => {
    const pod = planned({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'django-ray' } });
    const run = program(
      () => void new PhaseObjects('phase', { phase: 'prerequisite', objects: [pod] }, { provider: provider() }),
    );
    await expect(run).rejects.toThrow('Pod/a: no class for core kind Pod: add it to coreKinds');
  });
});

describe('registerConfinement', () => {
  const confined = (body: (pinned: Provider) => void) =>
    program(() => {
      const pinned = provider();
      registerConfinement({ objects: plan, provider: pinned });
      body(pinned);
    });

  it('lets the whole plan through, and the components of the program', async () => {
    const made = await confined((pinned) => {
      new PhaseObjects('prerequisites', { phase: 'prerequisite', objects: plan, adopt: true }, { provider: pinned });
      new PhaseObjects('workloads', { phase: 'workload', objects: plan }, { provider: pinned });
      new PhaseObjects('rollouts', { phase: 'rollout', objects: plan, restart: 'run-1' }, { provider: pinned });
    });
    const names = made.filter(({ type }) => type.startsWith('kubernetes:')).map(({ name }) => name);
    expect(names.sort()).toEqual(['ConfigMap/settings', 'Deployment/web', 'Deployment/worker', 'Namespace/django-ray']);
  });

  const metadata = { name: 'settings', namespace: 'django-ray' };
  it.each<{ name: string; body: (pinned: Provider) => void; says: string }>([
    {
      name: 'a stranger',
      body: (p) => void new ConfigMap('x', { metadata: { ...metadata, name: 'x' } }, { provider: p }),
      says: 'kubernetes:core/v1:ConfigMap "x" (v1/ConfigMap/django-ray/x) is not in the inventory: declare it in a construct',
    },
    {
      name: 'other content',
      body: (p) => void new ConfigMap('x', { metadata, data: { KEY: 'value' } }, { provider: p }),
      says: 'kubernetes:core/v1:ConfigMap "x" (v1/ConfigMap/django-ray/settings) differs from the checked object at data',
    },
    {
      name: 'an annotation that deployment does not add',
      body: (p) => void new ConfigMap('x', { metadata: { ...metadata, annotations: { a: 'b' } } }, { provider: p }),
      says: 'kubernetes:core/v1:ConfigMap "x" (v1/ConfigMap/django-ray/settings) differs from the checked object at metadata.annotations',
    },
    {
      name: 'content that is known only later',
      body: (p) => void new ConfigMap('x', { metadata, data: pulumi.output({ KEY: 'value' }) }, { provider: p }),
      says: 'kubernetes:core/v1:ConfigMap "x" (v1/ConfigMap/django-ray/settings) differs from the checked object at data',
    },
    {
      name: 'a name that is known only later',
      body: (p) => void new ConfigMap('x', { metadata: pulumi.output(metadata) }, { provider: p }),
      says: 'kubernetes:core/v1:ConfigMap "x" has no plain metadata.name: it cannot be compared with the inventory',
    },
    {
      name: 'a restart of something that is no rollout',
      body: (p) => {
        const manifest = deployment('web') as { spec: { template: { metadata: { annotations?: object } } } };
        manifest.spec.template.metadata.annotations = { 'raygate/restart': 'x' };
        new CustomResource('x', { apiVersion: 'apps/v1', kind: 'Deployment', ...manifest }, { provider: p });
      },
      says: 'kubernetes:apps/v1:Deployment "x" (apps/v1/Deployment/django-ray/web) differs from the checked object at spec.template.metadata.annotations',
    },
    {
      name: 'the preserved Secret',
      body: (p) => void new CustomResource('x', secret, { provider: p }),
      says: 'kubernetes:v1:Secret "x" (v1/Secret/django-ray/keys) is preserved: it is checked and never applied',
    },
    {
      name: 'the setup Job',
      body: (p) => void new CustomResource('x', job, { provider: p }),
      says: 'kubernetes:batch/v1:Job "x" (batch/v1/Job/django-ray/setup) is made by the setup step, once for each run',
    },
    {
      name: 'the default provider',
      body: () => void new ConfigMap('x', { metadata }),
      says: 'kubernetes:core/v1:ConfigMap "x" is not on the pinned provider: pass it in the options',
    },
    {
      name: 'another provider',
      body: () => void new Provider('other', { kubeconfig: 'x' }),
      says: 'pulumi:providers:kubernetes "other" is a second way to the cluster: only the pinned provider may exist',
    },
    {
      name: 'a provider that was given through a component',
      body: (p) => {
        const parent = new pulumi.ComponentResource('raygate:test:Parent', 'parent', {}, { providers: [p] });
        new ConfigMap('x', { metadata }, { parent });
      },
      says: 'kubernetes:core/v1:ConfigMap "x" is not on the pinned provider: pass it in the options',
    },
    {
      name: 'a read',
      body: (p) => void ConfigMap.get('x', 'django-ray/settings', { provider: p }),
      says: 'kubernetes:core/v1:ConfigMap "x" reads an object instead of declaring it: read in a step of the gate',
    },
    {
      name: 'a package that the program does not use',
      body: () => void new pulumi.ComponentResource('cert-manager:index:CertManager', 'x'),
      says: 'cert-manager:index:CertManager "x" is of a package that this program does not use: nothing vouches for what it does',
    },
    ...['helm.sh/v4:Chart', 'yaml/v2:ConfigFile', 'yaml/v2:ConfigGroup', 'kustomize/v2:Directory'].map((type) => ({
      name: `${type}, whose children it would not see`,
      body: () => void new pulumi.ComponentResource(`kubernetes:${type}`, 'x'),
      says: `kubernetes:${type} "x" makes its objects outside this program, unseen: write them as constructs`,
    })),
    {
      name: 'a stranger inside a component',
      body: (p) => {
        const parent = new pulumi.ComponentResource('raygate:test:Parent', 'parent');
        new ConfigMap('x', { metadata: { ...metadata, namespace: 'default' } }, { parent, provider: p });
      },
      says: 'kubernetes:core/v1:ConfigMap "x" (v1/ConfigMap/default/settings) is not in the inventory: declare it in a construct',
    },
  ])('refuses $name', async ({ body, says }) => {
    await expect(confined(body)).rejects.toThrow(says);
    expect(registered.filter(({ type }) => type.startsWith('kubernetes:'))).toEqual([]);
  });

  describe('with a second plan on a second provider', () => {
    const account = planned({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'deployer', namespace: 'django-ray' },
    });
    const twice = (body: (pinned: Provider, own: Provider) => void) =>
      program(() => {
        const [pinned, own] = [provider('pinned'), provider('own')];
        registerConfinement({ objects: plan, provider: pinned }, { objects: [account], provider: own });
        body(pinned, own);
      });

    it('lets each provider apply its own plan', async () => {
      const made = await twice((pinned, own) => {
        new PhaseObjects('enforcement', { phase: 'prerequisite', objects: [account] }, { provider: own });
        new PhaseObjects('workloads', { phase: 'workload', objects: plan }, { provider: pinned });
      });
      const names = made.filter(({ type }) => type.startsWith('kubernetes:')).map(({ name }) => name);
      expect(names.sort()).toEqual(['Deployment/web', 'ServiceAccount/deployer']);
    });

    it.each<{ name: string; body: (pinned: Provider, own: Provider) => void; says: string }>([
      {
        name: 'an object of the first plan on the second provider',
        body: (_, own) => void new ConfigMap('x', { metadata }, { provider: own }),
        says: '"x" (v1/ConfigMap/django-ray/settings) is not in the inventory',
      },
      {
        name: 'an object of the second plan on the first provider',
        body: (pinned) => void new ServiceAccount('x', account.manifest, { provider: pinned }),
        says: '"x" (v1/ServiceAccount/django-ray/deployer) is not in the inventory',
      },
    ])('refuses $name', async ({ body, says }) => {
      await expect(twice(body)).rejects.toThrow(says);
    });
  });

  it('refuses a provider that was there before the pinned one', async () => {
    const run = program(() => {
      const earlier = new Provider('earlier', { kubeconfig: 'x' });
      registerConfinement({ objects: plan, provider: provider() });
      new ConfigMap('x', { metadata }, { provider: earlier });
    });
    await expect(run).rejects.toThrow(
      'kubernetes:core/v1:ConfigMap "x" is not on the pinned provider: pass it in the options',
    );
  });
});
