import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readSnapshot, readSnapshotContent, takeSnapshot } from '../../src/cluster/snapshot.js';
import { createRedactor } from '../../src/core/redaction.js';
import {
  aKubeconfig,
  base64,
  clientCertificate,
  type KubeconfigFields,
  makePki,
  type TestPki,
} from '../builders/kubeconfig.js';

let pki: TestPki;
let folder: string;
let directory: string;
let kubeconfigPath: string;

beforeAll(async () => {
  pki = await makePki();
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-snapshot-'));
  directory = join(folder, 'private');
  kubeconfigPath = join(folder, 'config');
  await mkdir(directory, { mode: 0o700 });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function given(fields: KubeconfigFields = {}): Promise<void> {
  await writeFile(kubeconfigPath, stringify(aKubeconfig(pki, fields)));
}

const take = (context?: string) => takeSnapshot({ kubeconfigPath, directory, context });

describe('a snapshot', () => {
  it('is one context, one cluster and one user, private, and pinned over its exact bytes', async () => {
    await given();
    const snapshot = await take();
    const content = await readFile(snapshot.path);
    expect(snapshot).toEqual({
      path: snapshot.path,
      sha256: createHash('sha256').update(content).digest('hex'),
      context: 'kind-test',
      server: 'https://127.0.0.1:6443',
      certificateAuthoritySha256: createHash('sha256').update(pki.authority.certificate).digest('hex'),
      secrets: [base64(pki.client.key), pki.client.key],
    });
    expect((await stat(snapshot.path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(content.toString())).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'kind-test',
      clusters: [
        {
          name: 'local',
          cluster: {
            server: 'https://127.0.0.1:6443',
            'certificate-authority-data': base64(pki.authority.certificate),
          },
        },
      ],
      contexts: [{ name: 'kind-test', context: { cluster: 'local', user: 'me' } }],
      users: [{ name: 'me', user: clientCertificate(pki) }],
    });
    expect(await readdir(directory)).toHaveLength(1);
  });

  it('that acts as a service account is the same but for that, and pinned as well', async () => {
    await given();
    const account = 'system:serviceaccount:django-ray:raygate-deployer';
    const [own, acting] = [await take(), await takeSnapshot({ kubeconfigPath, directory, actAs: account })];
    expect(acting.sha256).not.toBe(own.sha256);
    const [ownConfig, actingConfig] = await Promise.all(
      [own, acting].map(async ({ path }) => JSON.parse(await readFile(path, 'utf8'))),
    );
    expect(actingConfig).toEqual({
      ...ownConfig,
      users: [{ name: 'me', user: { ...clientCertificate(pki), as: account } }],
    });
    expect(await readSnapshot(acting)).toEqual(acting);
  });

  it.each(['admin', 'system:serviceaccount:django-ray', 'system:serviceaccount:a:b\r\nx: y'])(
    'acts as no user, and as no account that is none: %j',
    async (actAs) => {
      await given();
      await expect(takeSnapshot({ kubeconfigPath, directory, actAs })).rejects.toMatchObject({
        code: 'kubeconfig.malformed',
      });
      expect(await readdir(directory)).toEqual([]);
    },
  );

  it('of an unchanged kubeconfig, taken again, is the same file', async () => {
    await given();
    expect(await take('kind-test')).toEqual(await take());
    expect(await readdir(directory)).toHaveLength(1);
  });

  it('takes no notice of KUBECONFIG', async () => {
    await given();
    process.env['KUBECONFIG'] = '/nowhere';
    try {
      expect((await take()).context).toBe('kind-test');
    } finally {
      delete process.env['KUBECONFIG'];
    }
  });

  it('has read in the files that the kubeconfig names, relative to it', async () => {
    await mkdir(join(folder, 'pki'));
    await writeFile(join(folder, 'pki/ca.crt'), pki.authority.certificate);
    await writeFile(join(folder, 'pki/user.crt'), pki.client.certificate);
    await writeFile(join(folder, 'pki/user.key'), pki.client.key);
    await writeFile(join(folder, 'pki/token'), 'token-from-file-0123\n');
    await given({
      cluster: { 'certificate-authority-data': undefined, 'certificate-authority': 'pki/ca.crt' },
      user: {
        'client-certificate': 'pki/user.crt',
        'client-key': join(folder, 'pki/user.key'),
        tokenFile: 'pki/token',
        token: 'token-beside-file-0123',
      },
    });
    const snapshot = await take();
    expect(JSON.parse(await readSnapshotContent(snapshot)).users[0].user).toEqual({
      ...clientCertificate(pki),
      token: 'token-from-file-0123',
    });
    expect(snapshot.secrets).toEqual([base64(pki.client.key), pki.client.key, 'token-from-file-0123']);
  });
});

describe('a kubeconfig is refused, in one line that holds nothing of its credentials, and nothing is written:', () => {
  const secret = 'Secret-marker-0123456789';
  const rows: { name: string; fields: KubeconfigFields; context?: string; code: string; says: RegExp }[] = [
    {
      name: 'a context that it does not have',
      fields: {},
      context: 'kind-other',
      code: 'context-unknown',
      says: /^context "kind-other" is not in .* \(it has "kind-test", "production", "kind-remote"\)/,
    },
    { name: 'no context at all', fields: { currentContext: '' }, code: 'context-unknown', says: /no current-context/ },
    {
      name: "a context whose name is not a local cluster's",
      fields: {},
      context: 'production',
      code: 'context-not-local',
      says: /^context "production" is not a local cluster's/,
    },
    {
      name: 'a local name with a public server',
      fields: {},
      context: 'kind-remote',
      code: 'server-not-local',
      says: /^the API server https:\/\/\S+ of context kind-remote is not on this machine/,
    },
    {
      name: 'a proxy',
      fields: { cluster: { 'proxy-url': `http://user:${secret}@127.0.0.1:1` } },
      code: 'proxy',
      says: /^cluster local of context kind-test has a proxy-url/,
    },
    {
      name: 'a server that is not verified',
      fields: { cluster: { 'insecure-skip-tls-verify': true } },
      code: 'no-authority',
      says: /is not verified/,
    },
    {
      name: 'no certificate authority',
      fields: { cluster: { 'certificate-authority-data': undefined } },
      code: 'no-authority',
      says: /certificate-authority-data/,
    },
    {
      name: 'an authority that is no certificate',
      fields: { cluster: { 'certificate-authority-data': base64(secret) } },
      code: 'no-authority',
      says: /not a PEM certificate/,
    },
    {
      name: 'an exec plugin',
      fields: { user: { exec: { command: 'login', args: ['--token', secret] } } },
      code: 'credentials-unsupported',
      says: /uses exec, which a digest cannot pin/,
    },
    {
      name: 'an auth provider',
      fields: { user: { 'auth-provider': { name: 'oidc', config: { 'id-token': secret } } } },
      code: 'credentials-unsupported',
      says: /uses auth-provider/,
    },
    {
      name: 'impersonation',
      fields: { user: { token: secret, as: 'root' } },
      code: 'credentials-unsupported',
      says: /uses as/,
    },
    {
      name: 'a token too short to be kept out of logs',
      fields: { user: { token: 'short' } },
      code: 'credentials-unsupported',
      says: /^the token of user me .* is shorter than 8/,
    },
    { name: 'no credentials', fields: { user: {} }, code: 'credentials-unsupported', says: /has no credentials/ },
    {
      name: 'a client key that is none',
      fields: { user: { 'client-certificate-data': 'eA==', 'client-key-data': base64(secret) } },
      code: 'credentials-unsupported',
      says: /client certificate that is not PEM/,
    },
    {
      name: 'a key without its certificate',
      fields: { user: { 'client-key-data': base64(secret) } },
      code: 'credentials-unsupported',
      says: /only one of client certificate and key/,
    },
    {
      name: 'a token with a line end inside',
      fields: { user: { token: `${secret}\nX-Header: 1` } },
      code: 'credentials-unsupported',
      says: /not printable ASCII/,
    },
    {
      name: 'a file that is not there',
      fields: { user: { tokenFile: 'gone' } },
      code: 'unreadable',
      says: /^tokenFile gone, which .* names, cannot be read/,
    },
    {
      name: 'two users of one name',
      fields: {
        file: {
          users: [
            { name: 'me', user: { token: secret } },
            { name: 'me', user: { token: secret } },
          ],
        },
      },
      code: 'malformed',
      says: /has 2 user entries named "me"/,
    },
    {
      name: 'a server that is no text',
      fields: { cluster: { server: 6443 } },
      code: 'malformed',
      says: /^cluster "local" in .* is malformed: server$/,
    },
    {
      name: 'an exec argument that is no text',
      fields: { user: { exec: { command: 'x', args: ['--token', 12345678] } } },
      code: 'malformed',
      says: /an exec argument/,
    },
  ];

  it.each(rows)('$name', async ({ fields, context, code, says }) => {
    await given(fields);
    const error = await take(context).catch((e) => e);
    expect(error).toMatchObject({
      layer: 'preflight',
      code: `kubeconfig.${code}`,
      message: expect.stringMatching(says),
    });
    expect(error.message).not.toContain('\n');
    expect(error.message).not.toContain('marker');
    expect(error.cause).toBeUndefined();
    expect(await readdir(directory)).toEqual([]);
  });

  it.each([
    ['text that is not YAML', `{token: ${secret}`],
    ['YAML that is no mapping', `- ${secret}`],
    ['an alias bomb', `a: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [${'*b,'.repeat(100)}]`],
  ])('%s', async (_, text) => {
    await writeFile(kubeconfigPath, text);
    const error = await take().catch((e) => e);
    expect(error.code).toMatch(/^kubeconfig\.(malformed|context-unknown)$/);
    expect(`${error.message}${error.stack}${error.cause}`).not.toContain('marker');
  });

  it('a path where there is nothing', async () => {
    await expect(take()).rejects.toMatchObject({ code: 'kubeconfig.unreadable' });
  });

  it('a folder for the snapshot that others can read', async () => {
    await given();
    await chmod(directory, 0o755);
    await expect(take()).rejects.toMatchObject({ code: 'kubeconfig.not-private' });
    expect(await readdir(directory)).toEqual([]);
  });
});

describe('the API server of a local context is refused when its URL is', () => {
  it.each([
    'http://127.0.0.1:6443',
    'https://user:pw@127.0.0.1:6443',
    'https://127.0.0.1:6443?a=b',
    'https://127.0.0.1:6443?',
    'https://127.0.0.1:6443#f',
    'https://127.0.0.1.example.com',
    'https://127.0.0.1@example.com',
    'https://0x7f.1:6443',
    'https://127.1:6443',
    'https://0.0.0.0:6443',
    'https://192.168.1.5:6443',
    'https:\\\\127.0.0.1',
    'https://127.0.0.1:65536',
    'https://127.0.0.1:0',
    'https://127.0.0.1:6443/ x',
    'https://localhosted',
    `https://127.0.0.1/${'a'.repeat(2048)}`,
    '',
  ])('%j', async (server) => {
    await given({ server });
    await expect(take()).rejects.toMatchObject({ code: 'kubeconfig.server-not-local' });
  });
});

describe('a refused API server', () => {
  it.each([
    [
      'https://8.8.8.8:6443',
      'the API server https://8.8.8.8:6443 of context kind-test is not on this machine: it must',
    ],
    ['https://u:pw@8.8.8.8', 'the API server of context kind-test is not on this machine: it must'],
    ['https://example.com/secret', 'the API server of context kind-test is not on this machine: it must'],
    [
      'http://127.0.0.1:6443',
      'the API server http://127.0.0.1:6443 of context kind-test is not reached over TLS: its scheme must be https',
    ],
  ])('%s is named unless it may hold a credential, with what is wrong', async (server, says) => {
    await given({ server });
    await expect(take()).rejects.toMatchObject({ message: expect.stringContaining(says) });
  });
});

describe('a kubeconfig that is no YAML', () => {
  const key = 'the-key-of-a-user';
  it.each([
    ['is not closed', `users: [${key}`, /^\S+ is not YAML: [a-z ]+ in line 1; mend it there$/],
    ['has a key twice', `clusters: []\nusers: [${key}]\nusers: []\n`, /is not YAML: duplicate key in line 3; mend/],
  ])('and %s is malformed: the line and the reason are told, and no content', async (_name, text, says) => {
    await writeFile(kubeconfigPath, text);
    await expect(take()).rejects.toMatchObject({ code: 'kubeconfig.malformed', message: expect.stringMatching(says) });
    await expect(take()).rejects.not.toThrow(key);
  });
});

describe('the API server of a local context is accepted when its URL is', () => {
  it.each([
    'https://127.0.0.1',
    'https://127.0.0.1:6443/',
    'https://[::1]:6443',
    'https://LOCALHOST:1',
    'https://host.docker.internal:6443/k8s/clusters/c-1',
    'https://kubernetes.docker.internal:65535',
  ])('%j', async (server) => {
    await given({ server });
    expect((await take()).server).toBe(server);
  });
});

describe('a context name is', () => {
  it.each(['docker-desktop', 'kind-a', 'kind-0.x_y-z'])('accepted: %j', async (context) => {
    await given({ context });
    expect((await take()).context).toBe(context);
  });

  it.each(['docker-desktop2', 'kind', 'kind-', 'kind-A', 'Kind-a', 'kind-a b', 'minikube', 'kind-a\n'])(
    'refused: %j',
    async (context) => {
      await given({ context });
      await expect(take()).rejects.toMatchObject({ code: 'kubeconfig.context-not-local' });
    },
  );
});

describe('the credentials of a kubeconfig', () => {
  it('are all known to the redactor before the kubeconfig is refused, decoded ones too', async () => {
    const redactor = createRedactor();
    const seen: string[] = [];
    const recording = {
      ...redactor,
      register: (secret: string) => {
        seen.push(secret);
        return redactor.register(secret);
      },
    };
    await given({
      user: {
        username: 'someone-here',
        password: 'pass-word-1',
        token: 'token-value-1',
        'client-key-data': base64('decoded key text'),
        'client-certificate-data': base64('public certificate'),
        unknown_secret: 'unknown-field-1',
        'auth-provider': {
          name: 'x',
          config: { 'id-token': 'id-token-value', 'idp-issuer-url': 'https://not-a-secret' },
        },
        exec: {
          command: 'login',
          args: [
            '--token',
            'flag-value-1',
            '--client-secret=flag-value-2',
            'short',
            'a-positional-of-20-chars',
            '--region',
            'eu-west-1',
          ],
          env: [
            { name: 'MY_TOKEN', value: 'env-value-1' },
            { name: 'REGION', value: 'not-a-secret-2' },
          ],
        },
      },
    });
    await expect(takeSnapshot({ kubeconfigPath, directory, redactor: recording })).rejects.toMatchObject({
      code: 'kubeconfig.credentials-unsupported',
    });
    expect(seen.sort()).toEqual(
      [
        'someone-here',
        'pass-word-1',
        'token-value-1',
        base64('decoded key text'),
        'decoded key text',
        'unknown-field-1',
        'id-token-value',
        'flag-value-1',
        'flag-value-2',
        'a-positional-of-20-chars',
        'env-value-1',
      ].sort(),
    );
  });
});

describe('a snapshot that is used again is refused when', () => {
  const rows: [string, (path: string) => Promise<void>, string][] = [
    ['its bytes changed', async (path) => writeFile(path, `${await readFile(path, 'utf8')} `), 'changed'],
    ['it is gone', (path) => rm(path), 'unreadable'],
    ['others can read it', (path) => chmod(path, 0o644), 'not-private'],
    [
      'it is a link',
      async (path) => {
        await writeFile(join(folder, 'copy'), await readFile(path), { mode: 0o600 });
        await rm(path);
        await symlink(join(folder, 'copy'), path);
      },
      'unreadable',
    ],
  ];
  it.each(rows)('%s', async (_, change, code) => {
    await given();
    const snapshot = await take();
    await change(snapshot.path);
    await expect(readSnapshot(snapshot)).rejects.toMatchObject({ code: `kubeconfig.${code}` });
  });

  it('it is of another context', async () => {
    await given();
    const snapshot = await take();
    await expect(readSnapshot({ ...snapshot, context: 'docker-desktop' })).rejects.toMatchObject({
      code: 'kubeconfig.malformed',
    });
  });
});
