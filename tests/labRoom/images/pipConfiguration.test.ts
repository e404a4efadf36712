import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { isGateError } from '../../../src/core/gateError.js';
import { parsePipFile, pipConfiguration, readPipSettings } from '../../../src/lab/images/pipConfiguration.js';

const files: readonly [string, string, Record<string, string>][] = [
  ['an empty file says nothing', '', {}],
  [
    'both kinds of separator count',
    '[global]\nindex-url = https://a.test\ntimeout: 9\n',
    { 'index-url': 'https://a.test', timeout: '9' },
  ],
  ['underscores are dashes', '[global]\nindex_url = https://a.test\n', { 'index-url': 'https://a.test' }],
  ['[install] wins over [global]', '[install]\ntimeout = 2\n[global]\ntimeout = 1\n', { timeout: '2' }],
  ['other sections are of other commands', '[freeze]\ntimeout = 2\n', {}],
  ['comments are skipped', '[global]\n# index-url = https://a.test\n; timeout = 1\n', {}],
  [
    'a value goes on in indented lines',
    '[global]\ntrusted-host =\n    a.test\n    b.test\nretries = 3\n',
    { 'trusted-host': 'a.test\nb.test', retries: '3' },
  ],
  [
    'an address keeps its colons and equal signs',
    '[global]\nindex-url = https://a.test:8443/x?y=z\n',
    { 'index-url': 'https://a.test:8443/x?y=z' },
  ],
];

describe("the machine's pip settings", () => {
  const made: string[] = [];
  afterEach(async () => {
    for (const folder of made.splice(0)) await rm(folder, { recursive: true });
  });

  it.each(files)('%s', (_name, content, expected) => {
    expect(Object.fromEntries(parsePipFile(content))).toEqual(expected);
  });

  it('come from a named file, then from variables, which win', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'raygate-pip-'));
    made.push(folder);
    const file = join(folder, 'pip.conf');
    await writeFile(file, '[global]\nindex-url = https://file.test\nretries = 4\n');
    const settings = await readPipSettings({
      HOME: folder,
      PIP_CONFIG_FILE: file,
      PIP_INDEX_URL: 'https://variable.test',
    });
    expect([settings.get('index-url'), settings.get('retries')]).toEqual(['https://variable.test', '4']);
  });
});

describe('the pip.conf of an image', () => {
  it('names the bundle and the index, and leaves out what is not in a container', () => {
    const settings = new Map([
      ['index-url', 'https://a.test/simple'],
      ['extra-index-url', 'https://b.test https://c.test'],
      ['find-links', '/opt/wheels'],
      ['cert', '/somewhere/else.pem'],
    ]);
    expect(pipConfiguration(settings, true)).toBe(
      [
        '[global]',
        'cert = /etc/ssl/certs/ca-certificates.crt',
        'index-url = https://a.test/simple',
        'extra-index-url = https://b.test',
        '    https://c.test',
        '',
      ].join('\n'),
    );
  });

  it('is empty on a machine that has nothing of its own', () => {
    expect(pipConfiguration(new Map(), false)).toBe('[global]\n');
  });

  it('never holds credentials, and the refusal does not repeat them', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9._~%+-]{8,20}$/);
    fc.assert(
      fc.property(
        word,
        word,
        fc.constantFrom('index-url', 'extra-index-url'),
        fc.boolean(),
        (user, password, name, second) => {
          const address = `${second ? 'https://plain.test/simple ' : ''}https://${user}:${password}@private.test/simple`;
          try {
            pipConfiguration(new Map([[name, address]]), true);
            return false;
          } catch (error) {
            return isGateError(error) && error.code === 'lab.pip-credentials' && !error.message.includes(password);
          }
        },
      ),
    );
  });
});
