import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsReference } from '../../src/infra/settings.js';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;

describe('the README', () => {
  it('has a row for each setting, with its meaning', () => {
    const rows = settingsReference().map(
      ({ key, meaning, required }) => `| \`${key}\`${required ? ' (required)' : ''} | ${meaning} |`,
    );
    expect(rows.filter((row) => !readme.includes(row))).toEqual([]);
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
