import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceFolder } from '../../src/cli/synth/outputFolder.js';
import { renderManifests } from '../../src/cli/synth/renderManifests.js';
import { workspace } from '../builders/workspace.js';
import { goTool } from './support/goTool.js';
import { type Kubectl, kubectlOn } from './support/kubectl.js';
import type { OwnApiServer } from './support/ownApiServer.js';
import { startedApiServer } from './support/realKubeconfig.js';

let server: OwnApiServer;
let kubectl: Kubectl;
let folder: string;
let helm: (...argv: string[]) => Promise<string>;

beforeAll(async () => {
  const program = await goTool('helm');
  folder = await mkdtemp(join(tmpdir(), 'raygate-helm-'));
  await replaceFolder(join(folder, 'manifests'), renderManifests(['controller'], ['helm']));
  server = await startedApiServer();
  kubectl = kubectlOn(server.kubeconfigPath);
  const homes = ['HELM_CACHE_HOME', 'HELM_CONFIG_HOME', 'HELM_DATA_HOME'].map((name) => [name, join(folder, name)]);
  const env = { PATH: process.env['PATH'], HOME: folder, ...Object.fromEntries(homes) };
  helm = async (...argv) => {
    const placed = ['--kubeconfig', server.kubeconfigPath, '--namespace', 'tau-system', ...argv];
    return (await promisify(execFile)(program, placed, { env })).stdout;
  };
  const deadline = Date.now() + 90_000;
  while (!(await kubectl(['get', '--raw', '/readyz'])).ok) {
    if (Date.now() > deadline) throw new Error('the API server is not ready after 90 s');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}, 900_000);

afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const names = async (...argv: string[]) =>
  (await kubectl(['get', ...argv, '--output=name'])).stdout.split('\n').filter((line) => line !== '');
const chart = () => join(folder, 'manifests', 'controller', 'helm');

describe('the chart on a real API server', () => {
  it('installs, and its notes say where', async () => {
    const told = await helm('install', 'tau-core-controller', chart(), '--create-namespace', '--wait=hookOnly');
    expect(told).toContain('The workspace controller runs in namespace tau-system.');
    expect(await names('deployments,roles,rolebindings,serviceaccounts', '--namespace=tau-system')).toEqual(
      expect.arrayContaining([
        'deployment.apps/tau-core-controller',
        'role.rbac.authorization.k8s.io/tau-workspace-leader-election',
        'rolebinding.rbac.authorization.k8s.io/tau-workspace-platform-rbac-manager',
        'serviceaccount/tau-core-controller',
      ]),
    );
    const made = await kubectl(['create', '--filename=-'], JSON.stringify(workspace()));
    expect(made).toMatchObject({ ok: true });
  });

  it('upgrades to other values', async () => {
    await helm('upgrade', 'tau-core-controller', chart(), '--set', 'replicas=2', '--wait=hookOnly');
    const argv = ['deployment', 'tau-core-controller', '--namespace=tau-system', '--output=jsonpath={.spec.replicas}'];
    expect((await kubectl(['get', ...argv])).stdout).toBe('2');
  });

  it('takes its roles along when it is uninstalled, and leaves the kinds and the workspaces', async () => {
    await helm('uninstall', 'tau-core-controller', '--wait=hookOnly', '--cascade=background');
    expect(await names('clusterroles', '--selector=app.kubernetes.io/part-of=raygate')).toEqual([]);
    expect(await names('crd')).toHaveLength(4);
    expect(await names('workspaces.tau.azure.com', '--namespace=tau-system')).toEqual([
      'tauworkspace.tau.azure.com/vision',
    ]);
  });
});
