import { issueLeaf, type KeyPair, makeAuthority } from '../../src/lab/pki/certificate.js';

/** Real certificates, made once a test file: an authority, a server on 127.0.0.1, a client. */
export interface TestPki {
  readonly authority: KeyPair;
  readonly server: KeyPair;
  readonly client: KeyPair;
}

export async function makePki(): Promise<TestPki> {
  const now = new Date();
  const authority = await makeAuthority('test', now, 2);
  return {
    authority,
    server: await issueLeaf(
      authority,
      { subject: 'CN=api', uses: ['server'], dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] },
      now,
      1,
    ),
    client: await issueLeaf(authority, { subject: 'CN=user, O=system:masters', uses: ['client'] }, now, 1),
  };
}

export const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

export interface KubeconfigFields {
  readonly context?: string;
  readonly currentContext?: string;
  readonly server?: string;
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
  /** Merged over the whole file. */
  readonly file?: Readonly<Record<string, unknown>>;
}

/** A kubeconfig with the context asked for and another, remote one. */
export function aKubeconfig(pki: TestPki, fields: KubeconfigFields = {}): Record<string, unknown> {
  const context = fields.context ?? 'kind-test';
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': fields.currentContext ?? context,
    clusters: [
      {
        name: 'local',
        cluster: {
          server: fields.server ?? 'https://127.0.0.1:6443',
          'certificate-authority-data': base64(pki.authority.certificate),
          ...fields.cluster,
        },
      },
      { name: 'remote', cluster: { server: 'https://api.example.com' } },
    ],
    contexts: [
      { name: context, context: { cluster: 'local', user: 'me' } },
      { name: 'production', context: { cluster: 'remote', user: 'them' } },
      { name: 'kind-remote', context: { cluster: 'remote', user: 'them' } },
    ],
    users: [
      { name: 'me', user: fields.user ?? clientCertificate(pki) },
      { name: 'them', user: { token: 'remote-token-0123456789' } },
    ],
    ...fields.file,
  };
}

export function clientCertificate(pki: TestPki): Record<string, unknown> {
  return {
    'client-certificate-data': base64(pki.client.certificate),
    'client-key-data': base64(pki.client.key),
  };
}
