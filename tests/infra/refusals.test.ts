import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const tests = join(import.meta.dirname, '..');
const text = readFileSync(join(tests, '..', 'docs', 'refusals.md'), 'utf8');
const rows = [...text.matchAll(/^\| (?<refused>[^|]+) \| (?<file>\S+\.test\.ts) \| (?<title>[^|]+) \|$/gm)].map(
  ({ groups }) => ({
    refused: groups?.['refused'] ?? '',
    file: groups?.['file'] ?? '',
    title: groups?.['title'] ?? '',
  }),
);

/** A title is a path of names, each of which stands in the test's source as it stands here. */
describe('docs/refusals.md', () => {
  it('has its rows', () => {
    const lines = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| refused '));
    expect(rows).toHaveLength(lines.length);
    expect(rows.length).toBeGreaterThan(60);
  });

  it.each(rows)('names a test that is there: $refused', ({ file, title }) => {
    const source = readFileSync(join(tests, file), 'utf8');
    const stands = (name: string) => ["'", '"', '`', '}'].some((before) => source.includes(`${before}${name}`));
    expect(title.split(' › ').filter((name) => !stands(name))).toEqual([]);
  });
});
