import { describe, expect, test } from 'vitest';
import { deadlineIn } from '../../src/core/deadline.js';
import { createRedactor } from '../../src/core/redaction.js';
import { readApiToken } from '../../src/gate/flows/apiToken.js';
import { kinds } from '../../src/gate/model/kinds.js';
import { fakeCluster } from '../fakes/cluster.js';

const token = 'tokentokentokentokentokentokentoken1';
const encode = (text: string) => Buffer.from(text).toString('base64');

async function read(data: Readonly<Record<string, string>> | undefined, redactor = createRedactor()) {
  const cluster = fakeCluster();
  if (data) cluster.put({ ...kinds.secret, metadata: { name: 'django-ray-secret', namespace: 'django-ray' }, data });
  return readApiToken(redactor, { layer: 'preflight', deadline: deadlineIn(1), cluster });
}

describe('the live API token', () => {
  test('is read, and known to the redactor in both its forms', async () => {
    const redactor = createRedactor();
    expect(await read({ DJANGO_API_TOKEN: encode(token) }, redactor)).toBe(token);
    expect(redactor.clean(`a ${token} b ${encode(token)} c`)).not.toMatch(/token/);
  });

  test.each([
    ['its Secret does not exist', undefined, 'preflight.secret-absent'],
    ['the Secret lacks it', { OTHER: 'eA==' }, 'preflight.token-missing'],
    ['it is no base64', { DJANGO_API_TOKEN: '***' }, 'preflight.token-encoding'],
    ['it is too short', { DJANGO_API_TOKEN: encode('short') }, 'preflight.token-length'],
    ['it ends in a line end', { DJANGO_API_TOKEN: encode(`${token}\n`) }, 'preflight.token-characters'],
  ])('is refused when %s', async (_, data, code) => {
    await expect(read(data)).rejects.toMatchObject({ layer: 'preflight', code });
  });

  test('is known to the redactor before it is refused', async () => {
    const redactor = createRedactor();
    const bad = `${token} with a space`;
    await read({ DJANGO_API_TOKEN: encode(bad) }, redactor).catch(() => {});
    expect(redactor.clean(bad)).toBe('[REDACTED]');
  });
});
