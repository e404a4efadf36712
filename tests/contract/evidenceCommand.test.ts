import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { evidenceBytes } from '../builders/evidence.js';
import { raygate } from '../lab/command.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-evidence-'));
  for (const [name, bytes] of evidenceBytes()) await writeFile(join(folder, name), bytes);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const verify = async (...argv: readonly string[]) => {
  const { code, stdout, stderr } = await raygate(['evidence', 'verify', folder, ...argv], { env: { NO_COLOR: '1' } });
  return { code, stdout, failure: stderr.split('\n').filter((line) => line.startsWith('FAILED')) };
};

describe('raygate evidence verify ends', () => {
  it('with 0 when everything follows', async () => {
    const { code, stdout, failure } = await verify('--no-checkout');
    expect([code, failure]).toEqual([0, []]);
    expect(stdout).toMatch(/^verified: run /m);
  });

  it('with 1 and one line with the code when something does not', async () => {
    await writeFile(join(folder, 'evidence.txt'), 'all is well\n');
    const { code, failure } = await verify('--no-checkout');
    expect([code, failure.length]).toEqual([1, 1]);
    expect(failure[0]).toMatch(/^FAILED \[evidence\]: .* \(evidence\.text\)$/);
  });

  it('with 1 in a checkout of another tree', async () => {
    const { code, failure } = await verify();
    expect(code).toBe(1);
    expect(failure[0]).toContain('(evidence.another-tree)');
  });

  it('with 2 when there is nothing to verify', async () => {
    await rm(folder, { recursive: true });
    const { code, failure } = await verify();
    expect(code).toBe(2);
    expect(failure[0]).toContain('(usage.evidence-absent)');
  });
});
