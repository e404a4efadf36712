import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ignoreListProblem, ignoreLists } from '../../src/gate/rules/ignoreList.js';

const checkout = join(import.meta.dirname, '..', '..');
const [app] = ignoreLists;
if (app === undefined) throw new Error('no list');
const text = app.patterns.join('\n');

describe('an allow-list of a Dockerfile', () => {
  test.each(ignoreLists)('$path of this repository is the contract', async (contract) => {
    expect(ignoreListProblem(contract, await readFile(join(checkout, contract.path), 'utf8'))).toBeUndefined();
  });

  test('may hold comments and blank lines', () => {
    expect(ignoreListProblem(app, `# why\n\n${text}\n\n`)).toBeUndefined();
  });

  test.each([
    ['is missing', undefined, 'lacks'],
    ['lets everything in', text.replace('**\n', ''), 'as pattern 1'],
    ['has another order', [...app.patterns].reverse().join('\n'), 'as pattern 1'],
    ['has one more at the end', `${text}\n!.env`, 'has "!.env" as pattern'],
    ['has one less', app.patterns.slice(0, -1).join('\n'), 'has "(nothing)"'],
  ])('that %s is refused', (_, content, problem) => {
    expect(ignoreListProblem(app, content)).toContain(problem);
  });
});
