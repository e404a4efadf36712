import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsTable } from '../../src/infra/settings.js';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;

describe('the README', () => {
  it('has the table of the settings as they are: values, defaults, meanings', () => {
    const section = readme.slice(readme.indexOf('## Settings'), readme.indexOf('## The house'));
    expect(section.slice(section.indexOf('|'), section.lastIndexOf('|') + 1)).toBe(settingsTable());
  });

  it('says of each dependency why it is there', () => {
    const names = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.keys(manifest[kind] ?? {}),
    );
    const table = readme.slice(readme.indexOf('## Dependencies'));
    expect(names.filter((name) => !table.includes(name) && !name.startsWith('@types/'))).toEqual([]);
  });

  it('names only scripts that are there', () => {
    const named = [...readme.matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map((match) => match[1] ?? '');
    expect([...new Set(named)].filter((name) => manifest['scripts']?.[name] === undefined)).toEqual([]);
  });
});
