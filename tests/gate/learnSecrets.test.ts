import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redaction.js';
import { learnSecrets } from '../../src/gate/flows/learnSecrets.js';
import { kinds, secretName } from '../../src/gate/model/kinds.js';
import { fakeCluster } from '../fakes/cluster.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('what the redactor learns of the live Secret', () => {
  test('is every password, token and key, as it is and as the API gives it; never a name', async () => {
    const cluster = fakeCluster();
    cluster.put({
      ...kinds.secret,
      metadata: { name: secretName, namespace: 'django-ray' },
      data: {
        DATABASE_PASSWORD: base64('pass-word-1'),
        DJANGO_API_TOKEN: base64('token-word-2'),
        DJANGO_SECRET_KEY: base64('key-word-3'),
        DATABASE_USER: base64('django_ray'),
      },
    });
    const redactor = createRedactor();
    await learnSecrets(cluster, redactor);
    for (const word of ['pass-word-1', 'token-word-2', 'key-word-3', base64('pass-word-1')])
      expect(redactor.clean(`x ${word} y`)).toBe('x [REDACTED] y');
    expect(redactor.clean('deployment_django_ray_worker_ready')).toBe('deployment_django_ray_worker_ready');
  });

  test('is nothing when there is none', async () => {
    const redactor = createRedactor();
    await learnSecrets(fakeCluster(), redactor);
    expect(redactor.clean('pass-word-1')).toBe('pass-word-1');
  });
});
