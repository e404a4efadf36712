import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labPaths } from '../../../src/lab/paths.js';
import { withLabCluster } from '../../../src/lab/up.js';
import { type Checkout, makeCheckout } from '../checkout.js';
import { type Ended, failure, raygate } from '../command.js';

let checkout: Checkout;

beforeAll(async () => {
  checkout = await makeCheckout();
});
afterAll(() => checkout.remove());

async function start(enforce: boolean): Promise<Ended> {
  await checkout.set('enforce', String(enforce));
  const ended = await raygate(['start'], { folder: checkout.folder });
  expect([ended.code, ended.code === 0 ? '' : failure(ended)]).toEqual([0, '']);
  return ended;
}

const policy = () =>
  withLabCluster(labPaths(), async (cluster) => {
    const apiVersion = 'admissionregistration.k8s.io/v1';
    return (await cluster.get({ apiVersion, kind: 'ValidatingAdmissionPolicy', name: 'raygate-deployer' })).kind;
  });

describe('npm start with raygate:enforce, on a stack that may be there already', () => {
  it('deploys and proves as the account, which the policy confines', async () => {
    expect((await start(true)).stdout).toMatch(/^task_state=SUCCEEDED$/m);
    expect(await policy()).toBe('found');
  });

  it('changes nothing when nothing changed', async () => {
    const ended = await start(true);
    expect(ended.stdout).toContain('still proven by run');
    expect(ended.stdout).toMatch(/^pulumi up: no changes, [\d.]+ s$/m);
  });

  it('takes the account and the policy away when it is switched off', async () => {
    expect((await start(false)).stdout).toMatch(/^task_state=SUCCEEDED$/m);
    expect(await policy()).toBe('absent');
  });
});
