import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveImageDigests } from '../../src/host/imageDigests.js';
import { run } from '../../src/host/process.js';
import { readTarEntries } from '../../src/host/tarEntries.js';

/** Contents under the names that their digests give them. */
const sha256 = (content: unknown) => createHash('sha256').update(JSON.stringify(content)).digest('hex');
const digest = (content: unknown) => `sha256:${sha256(content)}`;
const blob = (content: unknown) => ({ [`blobs/sha256/${sha256(content)}`]: content });
const filesOf = (content: Readonly<Record<string, unknown>>) =>
  new Map(Object.entries(content).map(([name, value]) => [name, Buffer.from(JSON.stringify(value))]));

const labels = { 'org.opencontainers.image.source-tree': 'tree' };
const config = { config: { Labels: labels } };
const manifest = { config: { digest: digest(config) } };
const otherManifest = { config: { digest: digest('other') } };
const index = { manifests: [{ digest: digest(otherManifest) }, { digest: digest(manifest) }] };
const archive = { 'manifest.json': [{ Config: `blobs/sha256/${sha256(config)}` }], ...blob(config) };
const layout = (top: unknown) => ({ 'index.json': { manifests: [{ digest: digest(top) }] } });

describe('the digests of a saved image', () => {
  test('index, manifest and config when the tag names an index', () => {
    const files = filesOf({ ...archive, ...layout(index), ...blob(index), ...blob(otherManifest), ...blob(manifest) });
    expect(resolveImageDigests(files, 'x:1')).toEqual({
      index: digest(index),
      manifest: digest(manifest),
      config: digest(config),
      configLabels: labels,
    });
  });

  test('manifest and config when the tag names a manifest', () => {
    const files = filesOf({ ...archive, ...layout(manifest), ...blob(manifest) });
    expect(resolveImageDigests(files, 'x:1')).toEqual({
      index: undefined,
      manifest: digest(manifest),
      config: digest(config),
      configLabels: labels,
    });
  });

  test('the config alone under the classic store, labels or none', () => {
    const bare = { config: {} };
    const name = `${sha256(bare)}.json`;
    expect(resolveImageDigests(filesOf({ 'manifest.json': [{ Config: name }], [name]: bare }), 'x:1')).toEqual({
      index: undefined,
      manifest: undefined,
      config: digest(bare),
      configLabels: {},
    });
  });

  test.each([
    ['nothing was saved', {}, 'has no manifest.json'],
    ['the archive names no configuration', { 'manifest.json': [{}] }, 'names no configuration'],
    ['the configuration is no digest', { 'manifest.json': [{ Config: '../../etc/passwd' }] }, 'names no configuration'],
    ['the configuration is not there', { 'manifest.json': archive['manifest.json'] }, 'lacks its configuration'],
    [
      'the configuration is another content than its name says',
      { ...archive, [`blobs/sha256/${sha256(config)}`]: { config: { Labels: { forged: 'yes' } } } },
      'holds another content under',
    ],
    [
      'a manifest is another content than its name says',
      { ...archive, ...layout(manifest), [`blobs/sha256/${sha256(manifest)}`]: { ...manifest, forged: true } },
      'holds another content under',
    ],
  ])('are refused when %s', (_, content, why) => {
    expect(() => resolveImageDigests(filesOf(content), 'x:1')).toThrow(new RegExp(`"x:1" ${why}`));
  });
});

describe('reading a tar stream', () => {
  test('gives the same small files however the stream is cut', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'raygate-tar-'));
    try {
      const long = `${'deep/'.repeat(30)}${'n'.repeat(90)}.json`;
      const contents: Record<string, string> = {
        'a.json': '{}',
        [long]: 'x'.repeat(513),
        'big.bin': 'y'.repeat(5000),
        empty: '',
      };
      for (const [name, text] of Object.entries(contents)) {
        await mkdir(dirname(join(folder, 'in', name)), { recursive: true });
        await writeFile(join(folder, 'in', name), text);
      }
      for (const format of ['gnu', 'pax']) {
        const chunks: Buffer[] = [];
        await run({
          file: 'tar',
          argv: [`--format=${format}`, '-cf', '-', '-C', join(folder, 'in'), ...Object.keys(contents)],
          timeoutSeconds: 20,
          onStdout: (chunk) => chunks.push(chunk),
        });
        const tar = Buffer.concat(chunks);
        fc.assert(
          fc.property(fc.array(fc.integer({ min: 1, max: 2000 }), { maxLength: 30 }), (cuts) => {
            const reader = readTarEntries(1000);
            let offset = 0;
            for (const cut of cuts) {
              reader.write(tar.subarray(offset, offset + cut));
              offset += cut;
            }
            reader.write(tar.subarray(offset));
            const found = Object.fromEntries([...reader.files].map(([name, content]) => [name, content.toString()]));
            expect(found).toEqual({ 'a.json': '{}', [long]: 'x'.repeat(513), empty: '' });
          }),
          { numRuns: 30 },
        );
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
