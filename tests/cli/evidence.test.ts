import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { showEvidence } from '../../src/cli/evidence/show.js';
import { verifyEvidence } from '../../src/cli/evidence/verify.js';
import type { EvidenceDocument } from '../../src/gate/report/evidence.js';
import { archiveSha256, readHead } from '../../src/host/git.js';
import { run } from '../../src/host/process.js';
import { evidenceBytes, evidenceDocument } from '../builders/evidence.js';

let folder: string;
let said: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-verify-'));
  said = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const verify = (path: string, checkout?: string) => verifyEvidence({ path, checkout, say: (line) => said.push(line) });

async function lay(document?: EvidenceDocument): Promise<string> {
  const target = join(folder, 'evidence');
  await mkdir(target, { recursive: true });
  for (const [name, bytes] of evidenceBytes(document)) await writeFile(join(target, name), bytes);
  return target;
}

async function repository(): Promise<string> {
  const path = join(folder, 'repository');
  await mkdir(path);
  await writeFile(join(path, 'file'), 'content');
  await git('init', '-q');
  await git('add', '.');
  await git('commit', '-q', '-m', 'first');
  return path;
}
const git = (...argv: string[]) =>
  run({
    file: 'git',
    argv: ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...argv],
    cwd: join(folder, 'repository'),
    timeoutSeconds: 20,
  });

/** Evidence of what the repository's HEAD is. */
async function documentOf(path: string): Promise<EvidenceDocument> {
  const head = await readHead(path);
  if (!head) throw new Error('no HEAD');
  const { commit, tree } = evidenceDocument().plan.source;
  const text = JSON.stringify(evidenceDocument()).replaceAll(tree, head.tree).replaceAll(commit, head.commit);
  const { lines: _lines, fingerprint: _fingerprint, ...given } = JSON.parse(text) as EvidenceDocument;
  const source = { commit: head.commit, tree: head.tree, archiveSha256: await archiveSha256(head) };
  return evidenceDocument({ ...given, plan: { ...given.plan, source } });
}

describe('raygate evidence verify', () => {
  test('says what it looked at, and what that does not say', async () => {
    await verify(await lay());
    expect(said.slice(0, -1).every((line) => line.startsWith('ok  '))).toBe(true);
    expect(said[0]).toBe('ok  6 files by name and digest');
    expect(said.at(-1)).toMatch(/^verified: run .*, tree .*; nothing is signed, so this says .* not who made them$/);
  });

  test('of a file says that it looked at it alone', async () => {
    await verify(join(await lay(), 'evidence.json'));
    expect(said.join('\n')).toContain('this file alone: give its folder');
  });

  test('refuses with the code of the first thing wrong, and says each in a line', async () => {
    const target = await lay();
    await writeFile(join(target, 'evidence.sig'), 'trust me');
    const text = await readFile(join(target, 'evidence.txt'), 'utf8');
    await writeFile(join(target, 'evidence.txt'), text.replace('ray_heads=1', 'ray_heads=2'));
    await expect(verify(target)).rejects.toMatchObject({ layer: 'evidence', code: 'evidence.file-added' });
    expect(said.map((line) => line.replace(/:.*/, ''))).toEqual([
      'NO  evidence.file-added',
      'NO  evidence.text',
      'NO  evidence.file-digest',
    ]);
  });

  test('shows what a tampered file says so that it cannot steer the terminal, in one bounded line', async () => {
    const target = await lay(evidenceDocument({ lines: [`\u001b[2Jall well\n${'x'.repeat(5000)}`] }));
    await expect(verify(target)).rejects.toMatchObject({ code: 'evidence.line' });
    expect(said).toHaveLength(1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is control characters that are looked for
    expect(said[0]).not.toMatch(/[\u0000-\u001f]/);
    expect(said[0]?.length).toBeLessThan(450);
  });

  test.each([
    ['a path where there is nothing', () => join(folder, 'nowhere'), 'usage.evidence-absent'],
    ['a folder without evidence', () => folder, 'usage.evidence-absent'],
  ])('takes %s for wrong usage', async (_, path, code) => {
    await expect(verify(path())).rejects.toMatchObject({ layer: 'usage', code });
  });

  test('refuses a file of another kind', async () => {
    await expect(verify(join(await lay(), 'evidence.txt'))).rejects.toMatchObject({ code: 'evidence.schema' });
  });

  test('takes a folder in the place of a file for wrong usage', async () => {
    const target = await lay();
    await rm(join(target, 'evidence.html'));
    await mkdir(join(target, 'evidence.html'));
    await expect(verify(target)).rejects.toMatchObject({
      code: 'usage.evidence-unreadable',
      message: expect.stringMatching(/evidence\.html is no file$/),
    });
  });
});

describe('raygate evidence verify in a checkout', () => {
  test('makes the archive of the commit anew', async () => {
    const checkout = await repository();
    await verify(await lay(await documentOf(checkout)), checkout);
    expect(said.join('\n')).toMatch(/ok {2}commit [0-9a-f]{12}, and the SHA-256 of its git archive/);
  });

  test('refuses when HEAD is another tree', async () => {
    const checkout = await repository();
    const target = await lay(await documentOf(checkout));
    await writeFile(join(checkout, 'file'), 'other');
    await git('commit', '-q', '-a', '-m', 'second');
    await expect(verify(target, checkout)).rejects.toMatchObject({ code: 'evidence.another-tree' });
  });

  test('refuses when the archive has another digest', async () => {
    const checkout = await repository();
    const document = await documentOf(checkout);
    const source = { ...document.plan.source, archiveSha256: '0'.repeat(64) };
    await expect(
      verify(await lay({ ...document, plan: { ...document.plan, source } }), checkout),
    ).rejects.toMatchObject({
      code: 'evidence.source-archive',
    });
  });

  test('holds when only the message of the commit was amended', async () => {
    const checkout = await repository();
    const target = await lay(await documentOf(checkout));
    await git('commit', '-q', '--amend', '-m', 'better');
    await verify(target, checkout);
    expect(said.join('\n')).toContain('under another commit');
  });

  test('says so when the commit is not there any more', async () => {
    const checkout = await repository();
    const document = await documentOf(checkout);
    const other = JSON.stringify(document).replaceAll(document.plan.source.commit, '9'.repeat(40));
    const { lines: _lines, ...rest } = JSON.parse(other) as EvidenceDocument;
    await verify(await lay(evidenceDocument(rest)), checkout);
    expect(said.join('\n')).toContain('its archive not made anew');
  });

  test('compares nothing where there is no checkout, and says so', async () => {
    await verify(await lay(), folder);
    expect(said.join('\n')).toContain('source not compared: there is no checkout here');
  });
});

describe('raygate evidence show', () => {
  test('prints the layers with their times, and each key whole with what it rests on', async () => {
    const lines = await showEvidence(await lay());
    const { app } = evidenceDocument().observations.images.facts;
    expect(lines[0]).toMatch(/^run .*, finished .*, took 187\.4 s, platform lab$/);
    expect(lines.find((line) => line.startsWith('ray '))).toMatch(
      /took {4}57\.5 s {2}longest: 30\.4 s, worker:worker-group/,
    );
    expect(lines.find((line) => line.startsWith('app_image_tag'))).toContain(`${app.reference}  (images)`);
    expect(lines.find((line) => line.startsWith('preserved_pvcs'))).toMatch(/ not-observed$/);
    expect(lines.every((line) => !line.includes('\n'))).toBe(true);
  });

  test('refuses what is no evidence', async () => {
    const target = await lay();
    await writeFile(join(target, 'evidence.json'), '{}');
    await expect(showEvidence(target)).rejects.toMatchObject({ layer: 'evidence', code: 'evidence.schema' });
  });
});
