import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { decideTrigger } from '../../src/cli/trigger/decide.js';
import { triggerRows } from '../../src/cli/trigger/rows.js';
import { triggerLines } from '../../src/cli/triggerCommand.js';

const root = join(import.meta.dirname, '..', '..');
const text = (path: string) => readFile(join(root, path), 'utf8');

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
}

describe('the example for GitHub Actions', () => {
  it('may read and nothing else, and hands no expression to a shell', async () => {
    const workflow = parse(await text('docs/github-actions/manifests.yaml')) as Workflow;
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const runs = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    expect(runs.length).toBeGreaterThan(2);
    expect(runs.filter((run) => run.includes('$' + '{{'))).toEqual([]);
    const { scripts } = JSON.parse(await text('package.json'));
    for (const run of runs.filter((each) => each.startsWith('npm run')))
      expect(scripts).toHaveProperty(run.split(' ')[3] as string);
  });
});

describe('docs/manifests.md', () => {
  it('shows what raygate trigger really says', async () => {
    const lines = triggerLines(decideTrigger(['src/infra/constructs/rayPods.ts'], triggerRows));
    const document = await text('docs/manifests.md');
    for (const line of lines) expect(document).toContain(`    ${line}\n`);
  });
});
