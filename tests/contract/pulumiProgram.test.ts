import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aKubeconfig, makePki } from '../builders/kubeconfig.js';
import { type ProgramCheckout, programCheckout } from './support/programCheckout.js';
import { pulumiFolder } from './support/pulumiProject.js';

const programs = await pulumiFolder();

const token = 'S3CRET-token-of-the-kubeconfig';
const pki = await makePki();

describe.skipIf(programs === undefined)('the program under the real CLI', () => {
  let checkout: ProgramCheckout;
  beforeAll(async () => {
    checkout = await programCheckout(programs as string);
  });
  afterAll(() => checkout?.remove());

  const valid = (server: string, context: string, others?: Readonly<Record<string, string>>) =>
    checkout.cluster(JSON.stringify(aKubeconfig(pki, { server, context, user: { token } })), context, others);
  const refusal = () => checkout.refusal([token]);

  test('names every setting that is missing, at once', async () => {
    await checkout.settings({});
    const output = await refusal();
    for (const key of ['kubeconfig', 'context', 'rayRestart']) expect(output).toContain(`raygate:${key} is missing`);
  });

  test('refuses a context that is not local by its name', async () => {
    await checkout.settings({ kubeconfig: '/k', context: 'production', rayRestart: 'skip' });
    expect(await refusal()).toContain('raygate:context must be docker-desktop or kind-NAME');
  });

  test('refuses a dirty tree', async () => {
    await valid('https://127.0.0.1:1', 'docker-desktop');
    await checkout.project.write('app/new.py', '');
    expect(await refusal()).toContain('FAILED [preflight]: The working tree has uncommitted changes (app/new.py)');
    await rm(join(checkout.project.folder, 'app', 'new.py'));
  });

  test('refuses a local name with a public server', async () => {
    await valid('https://203.0.113.7:6443', 'kind-a');
    await checkout.program('kind', '');
    expect(await refusal()).toMatch(/FAILED \[preflight\]: .*not on this machine.*\(kubeconfig\.server-not-local\)/);
  });

  test('says that the API server does not answer', async () => {
    await valid('https://127.0.0.1:1', 'docker-desktop', { deadlines: '{"preflight":1}' });
    expect(await refusal()).toMatch(/FAILED \[preflight\]: CRD rayclusters\.ray\.io cannot be read: /);
  });

  test('says that Docker does not answer', async () => {
    await valid('https://127.0.0.1:1', 'docker-desktop');
    await checkout.program('docker', 'echo "Cannot connect to the Docker daemon" >&2; exit 1');
    expect(await refusal()).toContain('FAILED [preflight]: Docker does not answer');
  });
});
