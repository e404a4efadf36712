import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../host/wholeFile.js';
import { addresses } from '../addresses.js';
import { daysLeft, issueLeaf, type KeyPair, type LeafRequest, makeAuthority, makeSigningKey } from './certificate.js';

/** What signs what: a leaf signed by another authority is refused by Kubernetes, so each has its own. */
const authorities = {
  ca: 'raygate lab CA',
  'front-proxy-ca': 'raygate lab front proxy CA',
  'etcd-ca': 'raygate lab etcd CA',
} as const;

type AuthorityName = keyof typeof authorities;

const local = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };

/** Every leaf of the cluster, by file name. */
export const leaves = {
  apiserver: {
    authority: 'ca',
    request: {
      subject: 'CN=kube-apiserver',
      uses: ['server'],
      dnsNames: [
        'localhost',
        'kubernetes',
        'kubernetes.default',
        'kubernetes.default.svc',
        `kubernetes.default.svc.${addresses.clusterDomain}`,
      ],
      ipAddresses: ['127.0.0.1', addresses.nodeIp, addresses.kubernetesServiceIp],
    },
  },
  'apiserver-kubelet-client': {
    authority: 'ca',
    request: { subject: 'CN=kube-apiserver-kubelet-client, O=system:masters', uses: ['client'] },
  },
  'front-proxy-client': {
    authority: 'front-proxy-ca',
    request: { subject: 'CN=front-proxy-client', uses: ['client'] },
  },
  admin: { authority: 'ca', request: { subject: 'CN=raygate-lab-admin, O=system:masters', uses: ['client'] } },
  'controller-manager': {
    authority: 'ca',
    request: { subject: 'CN=system:kube-controller-manager', uses: ['client'] },
  },
  scheduler: { authority: 'ca', request: { subject: 'CN=system:kube-scheduler', uses: ['client'] } },
  'kube-proxy': { authority: 'ca', request: { subject: 'CN=system:kube-proxy', uses: ['client'] } },
  kubelet: {
    authority: 'ca',
    request: {
      subject: `CN=system:node:${addresses.nodeName}, O=system:nodes`,
      uses: ['client', 'server'],
      dnsNames: [addresses.nodeName],
      ipAddresses: [addresses.nodeIp],
    },
  },
  etcd: { authority: 'etcd-ca', request: { subject: 'CN=etcd', uses: ['client', 'server'], ...local } },
  'etcd-client': { authority: 'etcd-ca', request: { subject: 'CN=kube-apiserver-etcd-client', uses: ['client'] } },
} as const satisfies Record<string, { authority: AuthorityName; request: LeafRequest }>;

export type LeafName = keyof typeof leaves;

const authorityDays = 3650;
const leafDays = 365;
/** A leaf is made anew in its last month, and whenever its authority was. */
const renewalDays = 30;

/**
 * Lays every certificate and key of the lab in `folder` (0600), reusing what is valid, and returns the names that were made
 * anew: the components that hold them restart by their fingerprint. The service account key is never replaced while it
 * is there: tokens of running pods hang on it.
 */
export async function ensureMaterial(folder: string, now: Date): Promise<readonly string[]> {
  const made: string[] = [];
  for (const [authorityName, commonName] of Object.entries(authorities)) {
    const before = await readPair(folder, authorityName);
    const valid = before !== undefined && daysLeft(before.certificate, now) > renewalDays;
    const authority = valid ? before : await makeAuthority(commonName, now, authorityDays);
    if (!valid) made.push(authorityName);
    for (const [name, leaf] of Object.entries(leaves)) {
      if (leaf.authority !== authorityName) continue;
      const current = valid ? await readPair(folder, name) : undefined;
      if (current && daysLeft(current.certificate, now) > renewalDays) continue;
      await writePair(folder, name, await issueLeaf(authority, leaf.request, now, leafDays));
      made.push(name);
    }
    // The authority is laid last: killed before that, the next call makes it and all its leaves anew, never a mixed set.
    if (!valid) await writePair(folder, authorityName, authority);
  }
  if ((await read(folder, 'service-account.key')) === undefined) {
    const keys = await makeSigningKey();
    await writeWhole(join(folder, 'service-account.pub'), keys.publicKey);
    await writeWhole(join(folder, 'service-account.key'), keys.key);
    made.push('service-account');
  }
  return made;
}

export interface MaterialPath {
  readonly crt: string;
  readonly key: string;
}

export function materialPath(folder: string, name: LeafName | AuthorityName): MaterialPath {
  return { crt: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
}

async function readPair(folder: string, name: string): Promise<KeyPair | undefined> {
  const [certificate, key] = [await read(folder, `${name}.crt`), await read(folder, `${name}.key`)];
  return certificate !== undefined && key !== undefined ? { certificate, key } : undefined;
}

async function writePair(folder: string, name: string, pair: KeyPair): Promise<void> {
  await writeWhole(join(folder, `${name}.crt`), pair.certificate);
  await writeWhole(join(folder, `${name}.key`), pair.key);
}

async function read(folder: string, name: string): Promise<string | undefined> {
  return readFile(join(folder, name), 'utf8').catch(() => undefined);
}
