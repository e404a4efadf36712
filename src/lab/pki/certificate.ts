import 'reflect-metadata'; // The X.509 library needs it before its first import.
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 86_400_000;

x509.cryptoProvider.set(webcrypto as unknown as typeof globalThis.crypto);

/** A certificate and its key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Who a leaf is for: a subject (`CN=…, O=…`), its uses, and the names it answers to. */
export interface LeafRequest {
  readonly subject: string;
  readonly uses: readonly ('client' | 'server')[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
}

export async function makeAuthority(commonName: string, now: Date, days: number): Promise<KeyPair> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    keys,
    ...validity(now, days),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await privatePem(keys) };
}

export async function issueLeaf(authority: KeyPair, request: LeafRequest, now: Date, days: number): Promise<KeyPair> {
  const issuer = new x509.X509Certificate(authority.certificate);
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    x509.PemConverter.decodeFirst(authority.key),
    algorithm,
    false,
    ['sign'],
  );
  const keys = await generateKeys();
  const names = [
    ...(request.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(request.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
  const uses = request.uses.map((use) =>
    use === 'client' ? x509.ExtendedKeyUsage.clientAuth : x509.ExtendedKeyUsage.serverAuth,
  );
  const certificate = await x509.X509CertificateGenerator.create({
    subject: request.subject,
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey,
    ...validity(now, days),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
      new x509.ExtendedKeyUsageExtension(uses),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await privatePem(keys) };
}

/** A key pair without a certificate, for signing service account tokens. */
export async function makeSigningKey(): Promise<{ readonly publicKey: string; readonly key: string }> {
  const keys = await generateKeys();
  const spki = await webcrypto.subtle.exportKey('spki', keys.publicKey);
  return { publicKey: x509.PemConverter.encode(spki, 'PUBLIC KEY'), key: await privatePem(keys) };
}

/** Days until the certificate ends; negative when it has ended, or when it is not readable. */
export function daysLeft(certificate: string, now: Date): number {
  try {
    return (new x509.X509Certificate(certificate).notAfter.getTime() - now.getTime()) / dayMs;
  } catch {
    return -1;
  }
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  // An hour of the past is included: the machine's clock may be set back a little after a start.
  return { notBefore: new Date(now.getTime() - 3_600_000), notAfter: new Date(now.getTime() + days * dayMs) };
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
}

async function privatePem(keys: webcrypto.CryptoKeyPair): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
}
