import { spawn } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeLines, fileChanges } from '../../src/cli/synth/changes.js';
import { synthChartNames, synthCharts } from '../../src/cli/synth/charts.js';
import { readFolder, replaceFolder } from '../../src/cli/synth/outputFolder.js';
import { renderManifests, synthFormats } from '../../src/cli/synth/renderManifests.js';
import { staleness } from '../../src/cli/synth/staleness.js';
import { textDiff } from '../../src/cli/synth/textDiff.js';
import { digestOf, sha256 } from '../../src/infra/render/canonicalJson.js';
import type { ManifestIndex } from '../../src/infra/render/manifestIndex.js';
import { raygate } from '../lab/command.js';

const rendered = renderManifests(synthChartNames, synthFormats);
const index = JSON.parse(rendered.get('index.json') ?? '') as ManifestIndex;

describe('renderManifests', () => {
  it('gives the same bytes each time', () => {
    expect([...renderManifests(synthChartNames, synthFormats)]).toEqual([...rendered]);
  });

  it('ends every file with one newline, and has no carriage return', () => {
    for (const [path, text] of rendered) {
      expect(text.endsWith('\n') && !text.endsWith('\n\n'), path).toBe(true);
      expect(text.includes('\r'), path).toBe(false);
    }
  });

  it('lists each object once with its digest, and each file with its own', () => {
    for (const { chart, objects } of index.charts) {
      const synthesised = synthCharts[chart as keyof typeof synthCharts].objects();
      expect(objects.map((object) => object.identity).sort()).toEqual(synthesised.map((object) => object.identity));
      for (const { identity, manifest } of synthesised)
        expect(objects.find((object) => object.identity === identity)?.sha256).toBe(digestOf(manifest));
    }
    const files = [...rendered].filter(([path]) => path !== 'index.json');
    expect(index.files).toEqual(Object.fromEntries(files.map(([path, text]) => [path, sha256(text)])));
  });

  it('renders only what is asked for', () => {
    const paths = [...renderManifests(['controller'], ['yaml']).keys()];
    expect(paths).toEqual(['index.json', 'controller/yaml/controller.yaml', 'controller/access.md']);
  });

  it('holds no value of a Secret', () => {
    const [secret] = [...rendered].filter(([path]) => path.endsWith('kustomize/secret-django-ray-secret.yaml'));
    expect(secret?.[1]).not.toMatch(/^(data|stringData):/m);
  });
});

describe('the committed folder', () => {
  it('is what the sources render', async () => {
    const standing = await readFolder(join(import.meta.dirname, '..', '..', 'manifests'));
    expect(staleness(standing ?? new Map(), rendered)?.lines.slice(0, 40)).toBeUndefined();
  });
});

describe('staleness', () => {
  const files = (...entries: [string, string][]) => new Map(entries);

  it('finds nothing in equal folders', () => {
    expect(staleness(rendered, rendered)).toBeUndefined();
  });

  it('shows what was changed, what is missing and what is left over, the index last', () => {
    const standing = files(['index.json', 'old\n'], ['a.yaml', 'x\ny\n'], ['gone.yaml', '']);
    const wanted = files(['index.json', 'new\n'], ['a.yaml', 'x\nz\n'], ['more.yaml', '']);
    expect(staleness(standing, wanted)).toEqual({
      paths: ['a.yaml', 'gone.yaml', 'more.yaml', 'index.json'],
      lines: [
        '--- a.yaml (as it stands)',
        '+++ a.yaml (as rendered)',
        '@@ -1 +1 @@',
        ' x',
        '-y',
        '+z',
        ' ',
        'left over: gone.yaml',
        'missing:   more.yaml',
        '--- index.json (as it stands)',
        '+++ index.json (as rendered)',
        '@@ -1 +1 @@',
        '-old',
        '+new',
        ' ',
      ],
    });
  });

  it('stops at a length that can be read', () => {
    const long = Array.from({ length: 5000 }, (_, line) => `${line}`).join('\n');
    const lines = staleness(files(['a', long]), files(['a', 'short']))?.lines ?? [];
    expect(lines.length).toBe(401);
    expect(lines.at(-1)).toMatch(/^… and \d+ lines more$/);
  });
});

describe('textDiff', () => {
  it('leads from the one text to the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const lines = textDiff(a.join('\n'), b.join('\n')).filter((line) => !line.startsWith('@@'));
        const removed = lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
        const added = lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
        const rest = (all: readonly string[], taken: readonly string[]) => {
          const left = [...all];
          for (const each of taken) left.splice(left.indexOf(each), 1);
          return left.sort();
        };
        const [from, to] = [a.join('\n').split('\n'), b.join('\n').split('\n')];
        expect(rest(from, removed)).toEqual(rest(to, added));
        expect(lines.length === 0).toBe(from.join('\n') === to.join('\n'));
      }),
    );
  });

  it('shows three lines around a change, and says at which lines', () => {
    const text = (changed: string) => ['1', '2', '3', '4', '5', changed, '7', '8', '9', '10'].join('\n');
    expect(textDiff(text('6'), text('six'))).toEqual(['@@ -3 +3 @@', ' 3', ' 4', ' 5', '-6', '+six', ' 7', ' 8', ' 9']);
  });
});

describe('what a rendering changed', () => {
  const before = new Map([
    ['a', '1'],
    ['b', '1'],
    ['c', '1'],
  ]);
  const said = (after: ReadonlyMap<string, string>) => changeLines(fileChanges(before, after), after.size, '/m');
  const rows: readonly [string, ReadonlyMap<string, string>, readonly string[]][] = [
    ['is nothing when all is the same', new Map(before), ['3 files in /m, none changed']],
    [
      'is said of each file, and counted',
      new Map([
        ['b', '2'],
        ['a', '1'],
        ['e', '1'],
        ['d', '1'],
      ]),
      ['added:   d', 'added:   e', 'changed: b', 'removed: c', '4 files in /m: 2 added, 1 changed, 1 removed'],
    ],
    [
      'is said of a file that became empty',
      new Map([...before, ['c', '']]),
      ['changed: c', '3 files in /m: 0 added, 1 changed, 0 removed'],
    ],
  ];
  it.each(rows)('%s', (_name, after, lines) => {
    expect(said(after)).toEqual(lines);
  });
});

describe('replaceFolder', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'raygate-synth-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));
  const rendering = (...paths: readonly string[]): ReadonlyMap<string, string> => {
    const digests = Object.fromEntries(paths.map((path) => [path, 'digest']));
    const index = { generator: 'raygate synth', files: digests };
    return new Map([
      ['index.json', JSON.stringify(index)],
      ...paths.map((path): [string, string] => [path, `${path}\n`]),
    ]);
  };
  const mine = rendering('a/b.yaml');
  const filesIn = async (folder: string) => new Map(await readFolder(folder));

  it('makes a folder whose parents are missing, and leaves nothing beside it', async () => {
    const folder = join(parent, 'x', 'manifests');
    await replaceFolder(folder, mine);
    expect(new Set(await filesIn(folder))).toEqual(new Set(mine));
    expect(await readdir(join(parent, 'x'))).toEqual(['manifests']);
  });

  it('leaves nothing of an earlier rendering', async () => {
    const folder = join(parent, 'manifests');
    const first = rendering('a/b.yaml', 'c/old.yaml');
    expect((await replaceFolder(folder, first)).size).toBe(0);
    expect(new Set(await replaceFolder(folder, mine))).toEqual(new Set(first));
    expect([...(await filesIn(folder)).keys()]).toEqual(['a/b.yaml', 'index.json']);
    expect(await readdir(parent)).toEqual(['manifests']);
  });

  const foreign: readonly [string, ReadonlyMap<string, string>, string | RegExp][] = [
    [
      'something else',
      new Map([['letter.txt', 'dear reader']]),
      'holds 1 entries and is not a rendered folder: give --out',
    ],
    [
      'something that speaks of a rendering',
      new Map([['index.json', '{ "note": "\\"generator\\": \\"raygate synth\\"" }']]),
      'is not a rendered folder: give',
    ],
    [
      "a rendering and a user's file",
      new Map([...mine, ['mine.txt', '']]),
      'holds mine.txt, which its index.json does not list',
    ],
    [
      "a rendering and a user's folders",
      new Map([...mine, ['foo/bar/x', ''], ['a/own', '']]),
      /holds (foo|a\/own|foo\/bar|foo\/bar\/x) and 3 more, which its index.json does not list/,
    ],
    [
      'a repository, even where the index lists it',
      rendering('a/b.yaml', '.git/HEAD'),
      /holds a git repository \(\.git(\/HEAD)?\)/,
    ],
  ];
  it.each(foreign)('refuses a folder that holds %s, and leaves it as it is', async (_name, files, says) => {
    const folder = join(parent, 'documents');
    await lay(folder, files);
    await expect(replaceFolder(folder, mine)).rejects.toMatchObject({
      code: 'usage.foreign-folder',
      message: typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says),
    });
    expect(new Set(await filesIn(folder))).toEqual(new Set(files));
  });

  it('refuses an empty folder of the user beside a rendering', async () => {
    await lay(join(parent, 'm'), mine);
    await mkdir(join(parent, 'm', 'empty'));
    await expect(replaceFolder(join(parent, 'm'), mine)).rejects.toThrow('holds empty, which');
  });

  it('follows a link, and refuses one that leads nowhere', async () => {
    await lay(join(parent, 'real'), rendering('old.yaml'));
    await symlink('real', join(parent, 'link'));
    await replaceFolder(join(parent, 'link'), mine);
    expect((await lstat(join(parent, 'link'))).isSymbolicLink()).toBe(true);
    expect([...(await filesIn(join(parent, 'real'))).keys()]).toEqual(['a/b.yaml', 'index.json']);
    await symlink('nowhere', join(parent, 'dangling'));
    await expect(replaceFolder(join(parent, 'dangling'), mine)).rejects.toThrow('is a link that leads nowhere');
  });

  it('puts back what a killed one had moved aside, before it looks whose it is', async () => {
    await lay(join(parent, '.m.writing-0123', 'old'), new Map([['letter.txt', '']]));
    await expect(replaceFolder(join(parent, 'm'), mine)).rejects.toMatchObject({ code: 'usage.foreign-folder' });
    expect([await readdir(parent), await readdir(join(parent, 'm'))]).toEqual([['m'], ['letter.txt']]);
  });

  it('takes a place where no folder can be for wrong use, and names it', async () => {
    await writeFile(join(parent, 'file'), '');
    await symlink('/proc/self', join(parent, 'proc'));
    for (const path of ['file', 'file/sub', 'proc/sub']) {
      const folder = join(parent, path);
      const refused = { layer: 'usage', code: 'usage.out-folder', message: expect.stringContaining(folder) };
      await expect(replaceFolder(folder, mine)).rejects.toMatchObject(refused);
    }
    await expect(readFolder(join(parent, 'file'))).rejects.toMatchObject({ code: 'usage.out-folder' });
  });

  it('tells a folder that is not there from an empty one', async () => {
    expect(await readFolder(join(parent, 'none'))).toBeUndefined();
    expect((await readFolder(parent))?.size).toBe(0);
  });

  async function lay(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
    for (const [path, text] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  }
});

describe('raygate synth --check', () => {
  const checked = (...argv: string[]) => raygate(['synth', '--check', ...argv]);

  it('says that there is no folder, and how to write it', async () => {
    const ended = await checked('--out', '/missing/folder', '--format', 'yaml');
    expect([ended.code, ended.stderr.replace(/^setup: .*\n/, '')]).toEqual([
      2,
      'FAILED [usage]: there is no folder /missing/folder to check: write it with raygate synth --format yaml --out /missing/folder (usage.no-folder)\n',
    ]);
  });

  it('repeats in its remedy which folder is stale', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'raygate-stale-'));
    const ended = await checked('--out', folder);
    await rm(folder, { recursive: true });
    expect([ended.code, ended.stderr]).toEqual([
      1,
      expect.stringContaining(`run raygate synth --out ${folder} and commit`),
    ]);
  });
});

describe('in another time zone and locale', () => {
  it('the same bytes come out', async () => {
    const script = [
      "const { createHash } = require('node:crypto');",
      "const { renderManifests } = require('./dist/cli/synth/renderManifests.js');",
      "const files = [...renderManifests(['controller', 'overlay'], ['yaml', 'kustomize', 'helm'])];",
      "console.log(createHash('sha256').update(JSON.stringify(files)).digest('hex'));",
    ].join('\n');
    const one = await outputUnder(script, { TZ: 'UTC', LC_ALL: 'C' });
    const other = await outputUnder(script, { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' });
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(other).toBe(one);
  });
});

describe('what rendering loads', () => {
  it('has no way to a cluster, to Docker, to the network or to Pulumi', async () => {
    const script = [
      "require('./dist/cli/synth/renderManifests.js').renderManifests(['controller', 'overlay'], ['yaml', 'kustomize', 'helm']);",
      "const loaded = Object.keys(require.cache).concat(process.moduleLoadList.map((name) => 'builtin:' + name));",
      'console.log(JSON.stringify(loaded));',
    ].join('\n');
    const loaded = JSON.parse(await outputUnder(script, {})) as string[];
    expect(loaded.filter((path) => path.includes('/dist/infra/constructs/')).length).toBeGreaterThan(10);
    const reach = /@pulumi|\/dist\/(cluster|host|gate|lab)\/|\/node_modules\/ws\/|builtin:NativeModule (https?|tls)$/;
    expect(loaded.filter((path) => reach.test(path))).toEqual([]);
  });
});

function outputUnder(script: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', script], {
      cwd: join(import.meta.dirname, '..', '..'),
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', () => resolve(output.trim()));
  });
}
