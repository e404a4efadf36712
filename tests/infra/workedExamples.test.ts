import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OverlayOptions, synthOverlay } from '../../src/infra/charts/overlay.js';
import { checkInventory } from '../../src/infra/inventory/check.js';
import type { PlannedObject } from '../../src/infra/plannedObject.js';
import { placeholderArchiveUri, placeholderReleaseTag, placeholderSourceTree } from '../../src/infra/releaseTag.js';

const root = join(import.meta.dirname, '..', '..');
const options: OverlayOptions = {
  profile: 'full',
  releaseTag: placeholderReleaseTag,
  sourceTree: placeholderSourceTree,
  archiveUri: placeholderArchiveUri,
  runtimeEnvAccess: 'RWX',
};

interface Example {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** The diffs of the README: the text that each one finds, and the text that it puts there. */
function examplesOf(readme: string): readonly Example[] {
  return [...readme.matchAll(/```diff\n--- (\S+)\n([\s\S]*?)```/g)].map(([, file = '', body = '']) => {
    const lines = body.trimEnd().split('\n');
    const without = (sign: string) =>
      lines
        .filter((line) => !line.startsWith(sign))
        .map((line) => line.slice(1))
        .join('\n');
    return { file, before: without('+'), after: without('-') };
  });
}

let folder: string;
let examples: readonly Example[];
let plain: readonly PlannedObject[];

beforeAll(async () => {
  // Below the project, so that packages are found from there; outside of git.
  await mkdir(join(root, '.raygate'), { recursive: true });
  folder = await mkdtemp(join(root, '.raygate', 'worked-examples-'));
  examples = examplesOf(await readFile(join(root, 'README.md'), 'utf8'));
  plain = await synthesised('plain');
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The overlay of a copy of the sources in which the example was carried out. */
async function synthesised(name: string, example?: Example): Promise<readonly PlannedObject[]> {
  const copy = join(folder, name);
  for (const room of ['core', 'api', 'infra'])
    await cp(join(root, 'src', room), join(copy, 'src', room), { recursive: true });
  if (example) {
    const path = join(copy, example.file);
    const text = await readFile(path, 'utf8');
    expect(text.split(example.before).length - 1, `places in ${example.file} that the example fits`).toBe(1);
    await writeFile(
      path,
      text.replace(example.before, () => example.after),
    );
  }
  const module = (await import(join(copy, 'src/infra/charts/overlay.ts'))) as { synthOverlay: typeof synthOverlay };
  return module.synthOverlay(options);
}

/** Identities of the objects that are new, gone or other than before. */
function changes(before: readonly PlannedObject[], after: readonly PlannedObject[]) {
  const text = (objects: readonly PlannedObject[]) =>
    new Map(objects.map((object) => [object.identity, JSON.stringify(object)]));
  const [old, fresh] = [text(before), text(after)];
  return {
    added: [...fresh.keys()].filter((identity) => !old.has(identity)),
    removed: [...old.keys()].filter((identity) => !fresh.has(identity)),
    changed: [...fresh].filter(([identity, json]) => old.has(identity) && old.get(identity) !== json).map(([id]) => id),
  };
}

const problems = (objects: readonly PlannedObject[]) =>
  checkInventory(objects, {
    declared: objects,
    namespace: 'django-ray',
    releaseTag: placeholderReleaseTag,
    repository: 'django-ray',
  });

describe("the README's worked examples", () => {
  it('are three', () => {
    expect(examples.map(({ file }) => file)).toEqual([
      'src/infra/profiles.ts',
      'src/infra/charts/overlay.ts',
      'src/infra/charts/overlay.ts',
    ]);
  });

  it('six Ray workers change the RayCluster and nothing else', async () => {
    const objects = await synthesised('workers', examples[0]);
    expect(problems(objects)).toEqual([]);
    const cluster = 'ray.io/v1/RayCluster/django-ray/ray';
    expect(changes(plain, objects)).toEqual({ added: [], removed: [], changed: [cluster] });
    expect(objects.find(({ identity }) => identity === cluster)?.manifest).toMatchObject({
      spec: { workerGroupSpecs: [{ replicas: 6, minReplicas: 6, maxReplicas: 6 }] },
    });
  }, 30_000);

  it('a task manager for another queue is one Deployment more, applied with the managers', async () => {
    const objects = await synthesised('reports', examples[1]);
    expect(problems(objects)).toEqual([]);
    const manager = 'apps/v1/Deployment/django-ray/django-ray-worker-reports';
    expect(changes(plain, objects)).toEqual({ added: [manager], removed: [], changed: [] });
    const added = objects.find(({ identity }) => identity === manager);
    expect(added?.phase).toBe('rollout');
    expect(JSON.stringify(added?.manifest)).toContain('reports');
  }, 30_000);

  it('one more ConfigMap is one object more, applied before what may read it', async () => {
    const objects = await synthesised('config', examples[2]);
    expect(problems(objects)).toEqual([]);
    const config = 'v1/ConfigMap/django-ray/report-limits';
    expect(changes(plain, objects)).toEqual({ added: [config], removed: [], changed: [] });
    expect(objects.find(({ identity }) => identity === config)).toMatchObject({
      phase: 'prerequisite',
      manifest: { data: { MAX_ROWS: '1000' } },
    });
  }, 30_000);
});
