import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveImageDigests } from '../../src/host/imageDigests.js';
import { run } from '../../src/host/process.js';
import { readTarEntries } from '../../src/host/tarEntries.js';

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const blob = (digit: string) => `blobs/sha256/${digit.repeat(64)}`;
const filesOf = (content: Readonly<Record<string, unknown>>) =>
  new Map(Object.entries(content).map(([name, value]) => [name, Buffer.from(JSON.stringify(value))]));

const config = 'c';
const manifest = { [blob('b')]: { config: { digest: digest(config) } } };
const archive = { 'manifest.json': [{ Config: blob(config) }] };

describe('the digests of a saved image', () => {
  test('index, manifest and config when the tag names an index', () => {
    const files = filesOf({
      ...archive,
      'index.json': { manifests: [{ digest: digest('a') }] },
      [blob('a')]: { manifests: [{ digest: digest('e') }, { digest: digest('b') }] },
      [blob('e')]: { config: { digest: digest('f') } },
      ...manifest,
    });
    expect(resolveImageDigests(files, 'x:1')).toEqual({
      index: digest('a'),
      manifest: digest('b'),
      config: digest('c'),
    });
  });

  test('manifest and config when the tag names a manifest', () => {
    const files = filesOf({ ...archive, 'index.json': { manifests: [{ digest: digest('b') }] }, ...manifest });
    expect(resolveImageDigests(files, 'x:1')).toEqual({ index: undefined, manifest: digest('b'), config: digest('c') });
  });

  test('the config alone under the classic store', () => {
    const files = filesOf({ 'manifest.json': [{ Config: `${'c'.repeat(64)}.json` }] });
    expect(resolveImageDigests(files, 'x:1')).toEqual({ index: undefined, manifest: undefined, config: digest('c') });
  });

  test.each([
    ['nothing was saved', {}],
    ['the archive names no configuration', { 'manifest.json': [{}] }],
    ['the configuration is no digest', { 'manifest.json': [{ Config: '../../etc/passwd' }] }],
  ])('are refused when %s', (_, content) => {
    expect(() => resolveImageDigests(filesOf(content), 'x:1')).toThrow('"x:1"');
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
