import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideTrigger, rowOf } from '../../src/cli/trigger/decide.js';
import { exactness, fits } from '../../src/cli/trigger/pattern.js';
import { gateAnswers, restartAnswers, triggerRows } from '../../src/cli/trigger/rows.js';
import { measureLines, triggerLines } from '../../src/cli/triggerCommand.js';

const root = join(import.meta.dirname, '..', '..');
const git = async (cwd: string, ...argv: string[]) => (await promisify(execFile)('git', argv, { cwd })).stdout;

describe('the table', () => {
  it('has the ten rows', () => {
    expect([...new Set(triggerRows.map(({ row }) => row))]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('covers every tracked path of this repository', async () => {
    const tracked = (await git(root, 'ls-files', '-z')).split('\0').filter((path) => path !== '');
    expect(tracked.length).toBeGreaterThan(100);
    expect(tracked.filter((path) => rowOf(path, triggerRows) === undefined)).toEqual([]);
  });

  it('has no pattern that fits nothing', async () => {
    const paths = (await git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')).split('\0');
    // Rooms of the house that are not built yet, and what a checkout need not have.
    const later = ['src/workspace/**', 'docs/**', 'LICENSE'];
    const idle = triggerRows
      .flatMap((row) => row.paths)
      .filter((pattern) => !paths.some((path) => fits(pattern, path)));
    expect(idle.filter((pattern) => !later.includes(pattern))).toEqual([]);
  });

  it('leaves no path to two patterns that are equally exact', async () => {
    const tracked = (await git(root, 'ls-files', '-z')).split('\0').filter((path) => path !== '');
    const disputed = tracked.filter((path) => {
      const exact = triggerRows.flatMap(({ paths }) => paths.filter((each) => fits(each, path)).map(exactness));
      return exact.filter((each) => each === Math.max(...exact)).length > 1;
    });
    expect(disputed).toEqual([]);
  });
});

describe('decideTrigger', () => {
  const rows: readonly [string, readonly string[], number, string, string][] = [
    ['the controller alone does not concern the stack', ['src/api/workspace.ts'], 1, 'not applicable', 'skip'],
    [
      'its construct is told from those of the stack',
      ['src/infra/constructs/controllerAccess.ts'],
      1,
      'not applicable',
      'skip',
    ],
    [
      'a template is in the web image only',
      ['app/testproject/testproject/templates/testproject/status.html'],
      2,
      'required',
      'skip',
    ],
    ['the web image needs no cold Ray', ['app/Dockerfile'], 2, 'required', 'skip'],
    ['the Ray image does', ['app/Dockerfile.ray'], 3, 'required', 'required'],
    [
      "a view is in the archive as all of the project's Python is",
      ['app/testproject/testproject/status/views.py'],
      3,
      'required',
      'required',
    ],
    ['a task crosses the components', ['app/testproject/testproject/tasks.py'], 4, 'required', 'required'],
    ['a rule of the gate proves itself', ['src/gate/rules/token.ts'], 4, 'required', 'required'],
    ['the RayCluster is replaced cold', ['src/infra/constructs/rayCluster.ts'], 5, 'required', 'required'],
    ['Grafana concerns no Ray pod', ['src/infra/constructs/grafana.ts'], 6, 'required', 'skip'],
    ['the composition concerns all pods', ['src/infra/charts/overlay.ts'], 6, 'required', 'required'],
    ['a task manager submits to the cluster', ['src/infra/constructs/taskManager.ts'], 7, 'required', 'required'],
    ['a dependency may drift', ['package-lock.json'], 8, 'recommended', 'skip'],
    ['the command line has its own tests', ['src/cli/start.ts'], 9, 'recommended', 'skip'],
    ['words are not deployed', ['README.md', 'tests/core/redaction.test.ts'], 10, 'not applicable', 'skip'],
    [
      'what is rendered follows from its sources',
      ['manifests/overlay/yaml/overlay.yaml'],
      10,
      'not applicable',
      'skip',
    ],
    ['a development tool is not deployed', ['lab/toolchain/helm/go.mod'], 10, 'not applicable', 'skip'],
    ['the strongest of many decides', ['README.md', 'package.json', 'app/Dockerfile'], 2, 'required', 'skip'],
  ];
  it.each(rows)('%s', (_, paths, row, gate, rayRestart) => {
    const decision = decideTrigger(paths, triggerRows);
    expect({ gate: decision.gate, rayRestart: decision.rayRestart, row: decision.gateDecidedBy?.row?.row }).toEqual({
      gate,
      rayRestart,
      row,
    });
  });

  it('takes a path that no row covers for the strongest', () => {
    const decision = decideTrigger(['README.md', 'somewhere/new'], triggerRows);
    expect(triggerLines(decision)).toEqual([
      'gate: required (somewhere/new: no row covers it, so it is taken for the strongest; give it one)',
      'Ray restart: required (somewhere/new: no row covers it, so it is taken for the strongest; give it one)',
    ]);
  });

  it('says which path and row decided, for each answer its own', () => {
    const decision = decideTrigger(['app/Dockerfile', 'src/infra/constructs/rayPods.ts'], triggerRows);
    expect(triggerLines(decision)).toEqual([
      'gate: required (app/Dockerfile: the very page and image are live, and what is protected answers; row 2 of src/cli/trigger/rows.ts)',
      'Ray restart: required (src/infra/constructs/rayPods.ts: the pods that are tested must be cold replacements; row 5 of src/cli/trigger/rows.ts)',
    ]);
  });

  it.each([
    ['says what was compared', [], ['compared with: X']],
    [
      'names what is not committed',
      ['a', 'b'],
      ['compared with: X', 'uncommitted, counted too (the gate proves committed trees only): a, b'],
    ],
    [
      'names the first five of much that is not',
      ['a', 'b', 'c', 'd', 'e', 'f'],
      ['compared with: X', 'uncommitted, counted too (the gate proves committed trees only): a, b, c, d, e and 1 more'],
    ],
  ])('%s', (_name, uncommitted, lines) => {
    expect(measureLines({ id: 'x', words: 'X' }, uncommitted)).toEqual(lines);
  });

  it('asks for nothing when nothing was changed', () => {
    expect(triggerLines(decideTrigger([], triggerRows))).toEqual([
      'gate: not applicable (nothing changed)',
      'Ray restart: skip',
    ]);
  });

  it('never asks for less when more is changed, whatever the order', async () => {
    const tracked = (await git(root, 'ls-files', '-z')).split('\0').filter((path) => path !== '');
    fc.assert(
      fc.property(fc.shuffledSubarray(tracked, { maxLength: 12 }), fc.constantFrom(...tracked), (paths, more) => {
        const [some, all] = [decideTrigger(paths, triggerRows), decideTrigger([more, ...paths], triggerRows)];
        expect(gateAnswers.indexOf(all.gate)).toBeGreaterThanOrEqual(gateAnswers.indexOf(some.gate));
        expect(restartAnswers.indexOf(all.rayRestart)).toBeGreaterThanOrEqual(restartAnswers.indexOf(some.rayRestart));
        expect(decideTrigger([...paths].reverse(), triggerRows)).toEqual(some);
      }),
    );
  });
});

describe('fits', () => {
  it.each([
    ['src/**', 'src/a/b.ts', true],
    ['src/**', 'srcs/a', false],
    ['*.md', 'README.md', true],
    ['*.md', 'docs/README.md', false],
    ['a/ray*.ts', 'a/rayPods.ts', true],
    ['a/ray*.ts', 'a/x/rayPods.ts', false],
    ['a.b', 'axb', false],
  ])('%s, %s: %s', (pattern, path, expected) => {
    expect(fits(pattern, path)).toBe(expected);
  });
});
