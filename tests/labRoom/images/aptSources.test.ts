import { describe, expect, it } from 'vitest';
import { findDebianMirrors, mirrorLines, type SourcesFile } from '../../../src/lab/images/aptSources.js';

const list = (content: string): SourcesFile => ({ name: 'sources.list', content });
const deb822 = (content: string): SourcesFile => ({ name: 'sources.list.d/debian.sources', content });

const rows: readonly [string, readonly SourcesFile[], ReturnType<typeof findDebianMirrors>][] = [
  ['nothing is found in nothing', [], undefined],
  [
    'one-line sources with options give both mirrors',
    [
      list(
        '# a comment\ndeb [signed-by=/k.gpg arch=amd64] http://mirror.test/debian bookworm main contrib # trailing\ndeb http://mirror.test/debian-security bookworm-security main',
      ),
    ],
    { main: 'http://mirror.test/debian', security: 'http://mirror.test/debian-security' },
  ],
  [
    'deb822 stanzas with comments, several suites and continued lines give both mirrors',
    [
      deb822(
        'Types: deb\n# http://old.test\nURIs: https://a.test/debian\nSuites: bookworm\n bookworm-updates\nComponents: main\n\nTypes: deb\nURIs: https://a.test/security\nSuites: bookworm-security\nComponents: main\n',
      ),
    ],
    { main: 'https://a.test/debian', security: 'https://a.test/security' },
  ],
  [
    'a mirror without security updates is enough',
    [list('deb http://mirror.test/debian trixie main')],
    { main: 'http://mirror.test/debian', security: undefined },
  ],
  [
    "other people's repositories are not Debian",
    [
      list('deb https://apt.test/tool tool-bookworm main\ndeb https://docker.test/linux/debian bookworm stable'),
      deb822('Types: deb\nURIs: https://node.test/node\nSuites: nodistro\nComponents: main\n'),
    ],
    undefined,
  ],
  ['sources of source packages are none', [list('deb-src http://mirror.test/debian bookworm main')], undefined],
  [
    'a stanza that is switched off is none',
    [deb822('Enabled: no\nTypes: deb\nURIs: http://a.test/debian\nSuites: bookworm\nComponents: main\n')],
    undefined,
  ],
  ['a CD-ROM is no mirror', [list('deb cdrom:[Debian 12]/ bookworm main')], undefined],
  ['another distribution is none', [list('deb http://mirror.test/ubuntu noble main')], undefined],
];

describe("the machine's Debian mirrors", () => {
  it.each(rows)('%s', (_name, files, expected) => {
    expect(findDebianMirrors(files)).toEqual(expected);
  });

  it('are asked for the suite, its updates and its security updates, each signed by Debian', () => {
    expect(mirrorLines({ main: 'http://m.test/debian', security: 'http://m.test/security' }, 'trixie')).toEqual([
      'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://m.test/debian trixie main',
      'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://m.test/debian trixie-updates main',
      'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://m.test/security trixie-security main',
    ]);
  });
});
