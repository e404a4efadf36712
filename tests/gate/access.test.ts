import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClusterError } from '../../src/cluster/clusterError.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { ready, waiting } from '../../src/core/verdict.js';
import { runDrain } from '../../src/gate/flows/drain.js';
import { type EnforcementPlan, readRetired } from '../../src/gate/flows/enforcement.js';
import type { AccountRule } from '../../src/gate/model/account.js';
import { kinds } from '../../src/gate/model/kinds.js';
import { judgeAccess } from '../../src/gate/rules/accessGranted.js';
import { stepContext } from '../builders/step.js';
import { type FakeApiServer, fakeApiServer, sendJson, sendStatus } from '../fakes/apiServer.js';
import { type FakeCluster, fakeCluster } from '../fakes/cluster.js';

const username = 'system:serviceaccount:django-ray:raygate-deployer';
const rule = (over: Partial<AccountRule> = {}): AccountRule => ({
  apiGroups: ['apps'],
  resources: ['deployments'],
  resourceNames: ['web'],
  verbs: ['patch'],
  ...over,
});
const missing = (what: string) => waiting('drain.access-pending', `${username} may not ${what} yet`);

describe('what the account needs is granted', () => {
  const rows: readonly { name: string; needs: AccountRule; granted: readonly AccountRule[]; verdict: unknown }[] = [
    { name: 'by the very rule', needs: rule(), granted: [rule()], verdict: ready({}) },
    { name: 'by a rule without names', needs: rule(), granted: [rule({ resourceNames: [] })], verdict: ready({}) },
    {
      name: 'by wildcards',
      needs: rule(),
      granted: [rule({ apiGroups: ['*'], resources: ['*'], verbs: ['*'], resourceNames: [] })],
      verdict: ready({}),
    },
    {
      name: 'by several rules together',
      needs: rule({ verbs: ['get', 'patch'] }),
      granted: [rule({ verbs: ['get'] }), rule({ verbs: ['patch'] })],
      verdict: ready({}),
    },
    { name: 'not by nothing', needs: rule(), granted: [], verdict: missing('patch apps/deployments/web') },
    {
      name: 'not by another verb',
      needs: rule(),
      granted: [rule({ verbs: ['get'] })],
      verdict: missing('patch apps/deployments/web'),
    },
    {
      name: 'not by another group',
      needs: rule({ apiGroups: [''] }),
      granted: [rule()],
      verdict: missing('patch deployments/web'),
    },
    {
      name: 'not by another resource',
      needs: rule({ resources: ['deployments/scale'] }),
      granted: [rule()],
      verdict: missing('patch apps/deployments/scale/web'),
    },
    {
      name: 'not by another name',
      needs: rule({ resourceNames: ['web', 'worker'] }),
      granted: [rule()],
      verdict: missing('patch apps/deployments/worker'),
    },
    {
      name: 'not to all by a rule with names',
      needs: rule({ resourceNames: [] }),
      granted: [rule()],
      verdict: missing('patch apps/deployments'),
    },
  ];
  it.each(rows)('$name', ({ needs, granted, verdict }) => {
    expect(judgeAccess({ username, rules: [needs] }, granted)).toEqual(verdict);
  });
});

describe('drain, the first step that acts as the account,', () => {
  let stateFolder: string;
  let cluster: FakeCluster;
  beforeEach(async () => {
    stateFolder = await mkdtemp(join(tmpdir(), 'raygate-state-'));
    cluster = fakeCluster();
  });
  afterEach(() => rm(stateFolder, { recursive: true, force: true }));
  const context = (deadlineSeconds?: number) =>
    stepContext({
      layer: 'drain',
      stateFolder,
      cluster,
      plan: { account: { username, rules: [rule()] } },
      ...(deadlineSeconds === undefined ? {} : { deadlineSeconds }),
    });

  it('waits until the roles that were just applied are in force', async () => {
    cluster.grant([], [rule()]);
    const step = context();
    expect(await runDrain(step)).toMatchObject({ mode: 'skip' });
    expect(step.lines).toEqual([`${username} may not patch apps/deployments/web yet`]);
  });

  it('says on its deadline what is missing', async () => {
    cluster.grant([]);
    await expect(runDrain(context(0.3))).rejects.toMatchObject({
      layer: 'drain',
      code: 'drain.access-pending',
      message: expect.stringContaining(`${username} may not patch apps/deployments/web yet`),
      retryable: true,
    });
  });

  it('waits for an API server that is away, and ends at once when it is refused', async () => {
    cluster.grant([rule()]);
    cluster.failNext(
      'rules',
      new ClusterError({ code: 'unreachable', message: 'connection refused', retryable: true }),
    );
    expect(await runDrain(context())).toMatchObject({ mode: 'skip' });
    cluster.failNext('rules', new ClusterError({ code: 'unauthorized', message: 'who are you' }));
    await expect(runDrain(context())).rejects.toMatchObject({ code: 'drain.access-unreadable' });
  });

  it('asks nothing when the run acts as the user', async () => {
    cluster.failNext('rules', new ClusterError({ code: 'unauthorized', message: 'who are you' }));
    expect(await runDrain(stepContext({ layer: 'drain', stateFolder, cluster }))).toMatchObject({ mode: 'skip' });
  });
});

describe('preflight of an enforced run', () => {
  let server: FakeApiServer;
  let cluster: FakeCluster;
  beforeEach(async () => {
    server = await fakeApiServer();
    cluster = fakeCluster();
    server.answer((_, response) => sendJson(response, 200, { gitVersion: 'v1.35.4' }));
  });
  afterEach(() => server.close());

  const plan: EnforcementPlan = {
    username,
    role: { name: 'raygate-deployer', annotation: 'raygate.dev/inventory' },
    confine: () => ({ objects: [], rules: [] }),
  };
  const planned = { identity: 'v1/ConfigMap/django-ray/planned', phase: 'prerequisite', manifest: {} };
  const read = () =>
    readRetired(plan, [planned], server.snapshot, { layer: 'preflight', deadline: deadlineIn(5), cluster });
  const role = (listed?: string) =>
    cluster.put({
      ...kinds.role,
      metadata: {
        name: 'raygate-deployer',
        namespace: 'django-ray',
        ...(listed === undefined ? {} : { annotations: { 'raygate.dev/inventory': listed } }),
      },
    });
  const put = (apiVersion: string, kind: string, name: string) =>
    cluster.put({ apiVersion, kind, metadata: { name, namespace: 'django-ray' } });

  it('finds nothing to retire where there was no enforced run', async () => {
    expect(await read()).toEqual([]);
    role();
    expect(await read()).toEqual([]);
  });

  it('retires what an earlier plan applied, this one lacks, and the cluster still has', async () => {
    role(
      'apps/v1/Deployment/django-ray/old v1/ConfigMap/django-ray/planned v1/ConfigMap/django-ray/gone v1/ConfigMap/django-ray/old',
    );
    put('apps/v1', 'Deployment', 'old');
    put('v1', 'ConfigMap', 'planned');
    put('v1', 'ConfigMap', 'old');
    expect(await read()).toEqual(['apps/v1/Deployment/django-ray/old', 'v1/ConfigMap/django-ray/old']);
  });

  it('refuses a user who may not act as the account, and says what to do', async () => {
    server.answer((_, response) => sendStatus(response, 403, 'Forbidden', 'cannot impersonate resource'));
    await expect(read()).rejects.toMatchObject({
      layer: 'preflight',
      code: 'preflight.impersonation',
      message: expect.stringMatching(
        /^raygate:enforce acts as system:serviceaccount:django-ray:raygate-deployer, and your user may not: .*set raygate:enforce to false .*cannot impersonate/,
      ),
    });
  });
});
