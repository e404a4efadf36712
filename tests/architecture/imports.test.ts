import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { beforeAll, describe, expect, it } from 'vitest';
import { barrels, type Edge, refuseEdge, refusePackage } from './rooms.js';

const root = join(import.meta.dirname, '..', '..');
let result: ICruiseResult;

beforeAll(async () => {
  const report = await cruise(['src'], {
    baseDir: root,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/infra/imports/' },
    ruleSet: { forbidden: [{ name: 'cycle', severity: 'error', from: {}, to: { circular: true } }] },
    validate: true,
  });
  result = report.output as ICruiseResult;
}, 60_000);

const inSource = (path: string) => path.startsWith('src/');
const short = (path: string) => path.replace(/^src\//, '');

function edges(): readonly Edge[] {
  return result.modules
    .filter((module) => inSource(module.source))
    .flatMap((module) =>
      module.dependencies
        .filter((dependency) => inSource(dependency.resolved))
        .map((dependency) => ({ from: short(module.source), to: short(dependency.resolved) })),
    );
}

describe('the imports of src', () => {
  it('were read: hundreds of edges, none of them unresolved', () => {
    expect(edges().length).toBeGreaterThan(100);
    const unresolved = result.modules
      .filter((module) => inSource(module.source))
      .flatMap((module) =>
        module.dependencies.filter((each) => each.couldNotResolve).map((each) => `${module.source}: ${each.module}`),
      );
    expect(unresolved).toEqual([]);
  });

  it('cross between rooms only as the table allows', () => {
    expect(edges().flatMap((edge) => refuseEdge(edge) ?? [])).toEqual([]);
  });

  it('use cdk8s, Pulumi and the Kubernetes client only at their homes', () => {
    const used = result.modules
      .filter((module) => inSource(module.source))
      .flatMap((module) =>
        module.dependencies.map((each) => ({ from: short(module.source), to: packageOf(each.module) })),
      );
    expect(used.flatMap((edge) => refusePackage(edge) ?? [])).toEqual([]);
  });

  it('make no cycle', () => {
    const cycles = result.summary.violations.map((violation) => `${violation.from} -> ${violation.to}`);
    expect(cycles).toEqual([]);
  });
});

describe('the files of src', () => {
  const sources = () =>
    result.modules
      .filter((module) => inSource(module.source))
      .map((module) => ({ path: short(module.source), text: readFileSync(join(root, module.source), 'utf8') }));

  it('start no child process synchronously', () => {
    expect(
      sources()
        .filter(({ text }) => /\b(execSync|spawnSync|execFileSync)\b/.test(text))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it('are no barrels, but for the one door of the gate', () => {
    const onlyPassesOn = (text: string) => {
      const statements = text
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
        .split(';')
        .map((each) => each.trim())
        .filter((each) => each !== '');
      return statements.length > 0 && statements.every((each) => /^export\s[\s\S]*\sfrom\s/.test(each));
    };
    const found = sources()
      .filter(({ text }) => onlyPassesOn(text))
      .map(({ path }) => path);
    expect(found.filter((path) => !barrels.includes(path))).toEqual([]);
  });

  it('stay below 250 lines', () => {
    expect(
      sources()
        .filter(({ text }) => text.split('\n').length > 251)
        .map(({ path }) => path),
    ).toEqual([]);
  });
});

describe('the table itself', () => {
  const rows: readonly [string, Edge, string | undefined][] = [
    ['a rule may use a word of core', { from: 'gate/rules/token.ts', to: 'core/verdict.ts' }, undefined],
    ['a step sees the model', { from: 'gate/steps/step.ts', to: 'gate/model/plan.ts' }, undefined],
    [
      'a step sees no flow',
      { from: 'gate/steps/step.ts', to: 'gate/flows/ray.ts' },
      'gate/steps/step.ts imports gate/flows/ray.ts: gate/steps/ may import only gate/model/',
    ],
    [
      'a construct sees no gate',
      { from: 'infra/constructs/web.ts', to: 'gate/index.ts' },
      'infra/constructs/web.ts imports gate/index.ts: infra/ may import only core/, api/',
    ],
    ['the program enters the gate by its door', { from: 'infra/program.ts', to: 'gate/index.ts' }, undefined],
    [
      'the program enters the gate by no other way',
      { from: 'infra/program.ts', to: 'gate/flows/ray.ts' },
      'infra/program.ts imports gate/flows/ray.ts: infra/program.ts may import only core/, api/, cluster/, host/, infra/, gate/index.ts',
    ],
    [
      'core imports nothing',
      { from: 'core/verdict.ts', to: 'host/git.ts' },
      'core/verdict.ts imports host/git.ts: core/ may import only node builtins',
    ],
  ];
  it.each(rows)('%s', (_, edge, expected) => {
    expect(refuseEdge(edge)).toBe(expected);
  });
});

/** `@pulumi/pulumi/automation/index.js` -> `@pulumi/pulumi`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
