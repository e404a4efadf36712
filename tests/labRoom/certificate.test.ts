import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { daysLeft } from '../../src/lab/pki/certificate.js';
import { ensureMaterial, leaves, materialPath } from '../../src/lab/pki/material.js';

const start = new Date('2026-01-01T00:00:00Z');
const later = (days: number) => new Date(start.getTime() + days * 86_400_000);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-pki-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the lab's certificates", () => {
  it('are made once, and reused while they are valid', async () => {
    const made = await ensureMaterial(folder, start);
    expect(made).toEqual(
      expect.arrayContaining(['ca', 'etcd-ca', 'front-proxy-ca', 'service-account', ...Object.keys(leaves)]),
    );
    expect(await ensureMaterial(folder, later(300))).toEqual([]);
  });

  it('are each signed by their own authority and lie private', async () => {
    await ensureMaterial(folder, start);
    for (const [name, leaf] of Object.entries(leaves)) {
      const own = new X509Certificate(await readFile(join(folder, `${name}.crt`)));
      const authority = new X509Certificate(await readFile(materialPath(folder, leaf.authority).crt));
      expect([name, own.verify(authority.publicKey), own.checkIssued(authority)]).toEqual([name, true, true]);
      expect((await stat(join(folder, `${name}.key`))).mode & 0o777).toBe(0o600);
    }
  });

  it('are renewed in their last month, the authorities kept', async () => {
    await ensureMaterial(folder, start);
    const made = await ensureMaterial(folder, later(340));
    expect([...made].sort()).toEqual(Object.keys(leaves).sort());
    const renewed = await readFile(join(folder, 'apiserver.crt'), 'utf8');
    expect(Math.round(daysLeft(renewed, later(340)))).toBe(365);
  });

  it('are made anew below an authority that ends, the service account key kept', async () => {
    await ensureMaterial(folder, start);
    const key = await readFile(join(folder, 'service-account.key'), 'utf8');
    const made = await ensureMaterial(folder, later(3630));
    expect([...made].sort()).toEqual(['ca', 'etcd-ca', 'front-proxy-ca', ...Object.keys(leaves)].sort());
    expect(await readFile(join(folder, 'service-account.key'), 'utf8')).toBe(key);
  });

  it('that are damaged count as ended', async () => {
    await ensureMaterial(folder, start);
    await writeFile(join(folder, 'admin.crt'), 'not a certificate');
    expect(await ensureMaterial(folder, start)).toEqual(['admin']);
  });
});
