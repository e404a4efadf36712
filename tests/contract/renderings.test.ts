import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { synthChartNames, synthCharts } from '../../src/cli/synth/charts.js';
import { replaceFolder } from '../../src/cli/synth/outputFolder.js';
import { renderManifests, synthFormats } from '../../src/cli/synth/renderManifests.js';
import { identify } from '../../src/infra/inventory/identity.js';
import type { Manifest } from '../../src/infra/plannedObject.js';
import { goTool } from './support/goTool.js';
import { renderedForm } from './support/renderedForms.js';

const run = promisify(execFile);
let folder: string;
let kubectl: string;
let helm: string;

beforeAll(async () => {
  const binaries = process.env['RAYGATE_TEST_BINARIES'];
  if (!binaries) throw new Error('set RAYGATE_TEST_BINARIES to the folder that holds kubectl');
  kubectl = join(binaries, 'kubectl');
  helm = await goTool('helm');
  folder = join(await mkdtemp(join(tmpdir(), 'raygate-renderings-')), 'manifests');
  await replaceFolder(folder, renderManifests(synthChartNames, synthFormats));
}, 900_000);

afterAll(async () => {
  if (folder) await rm(join(folder, '..'), { recursive: true, force: true });
});

/** Objects of a YAML stream by identity, as kubectl would read them. */
function byIdentity(yaml: string): Record<string, Manifest> {
  const objects = parseAllDocuments(yaml, { version: '1.1' })
    .map((document) => document.toJS() as Manifest | null)
    .filter((object) => object !== null);
  return Object.fromEntries(
    objects.map((object) => {
      const identity = identify(object);
      if ('lacks' in identity) throw new Error(`a rendered object lacks ${identity.lacks}`);
      return [identity.identity, object];
    }),
  );
}

async function helmTemplate(chart: string, ...argv: string[]): Promise<Record<string, Manifest>> {
  const { stdout } = await run(helm, ['template', 'release', join(folder, chart, 'helm'), '--include-crds', ...argv]);
  return byIdentity(stdout);
}

describe.each(synthChartNames)('chart %s', (chart) => {
  const synthesised = Object.fromEntries(
    synthCharts[chart].objects().map(({ identity, manifest }) => [identity, manifest]),
  );

  it.each(synthFormats)('renders as %s to the very objects', async (format) => {
    expect(byIdentity(await renderedForm({ folder, kubectl, helm }, chart, format))).toEqual(synthesised);
  });

  it('is a chart that helm lint finds nothing wrong with', async () => {
    const { stdout } = await run(helm, ['lint', '--strict', join(folder, chart, 'helm')]);
    expect(stdout).toContain('0 chart(s) failed');
  });
});

describe("the controller's chart", () => {
  const kindsOf = (objects: Record<string, Manifest>) => Object.values(objects).map(({ kind }) => kind);
  const access = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];

  it('leaves the namespace to Helm unless it is told otherwise', async () => {
    expect(kindsOf(await helmTemplate('controller'))).not.toContain('Namespace');
  });

  it('goes whole to the namespace that namespaceOverride names', async () => {
    const argv = ['--namespace', 'of-the-release', '--set', 'namespaceOverride=elsewhere,namespace.create=true'];
    const objects = await helmTemplate('controller', ...argv);
    const text = Object.keys(objects).join(' ') + JSON.stringify(objects);
    expect(text.includes('tau-system')).toBe(false);
    expect(text.includes('of-the-release')).toBe(false);
    expect(Object.keys(objects)).toContain('v1/Namespace/elsewhere');
    expect(Object.keys(objects)).toContain('apps/v1/Deployment/elsewhere/tau-core-controller');
  });

  it('renders no role and no binding with rbac.create=false, and no account with serviceAccount.create=false', async () => {
    const kinds = kindsOf(await helmTemplate('controller', '--set', 'rbac.create=false,serviceAccount.create=false'));
    expect(kinds.filter((kind) => [...access, 'ServiceAccount'].includes(String(kind)))).toEqual([]);
    expect(kinds).toContain('Deployment');
  });

  it('renders nine documents of access by default', async () => {
    const kinds = kindsOf(await helmTemplate('controller'));
    expect(kinds.filter((kind) => access.includes(String(kind)))).toHaveLength(9);
  });

  it('uses another account everywhere', async () => {
    const text = JSON.stringify(await helmTemplate('controller', '--set', 'serviceAccount.name=other'));
    expect(text.match(/"other"/g)).toHaveLength(5);
  });

  it('takes image, digest, replicas and resources', async () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const sets = ['image.repository=registry.example/it', `image.digest=${digest}`, 'image.pullPolicy=Always'];
    const argv = [...sets, 'replicas=3', 'resources.limits.cpu=2'].flatMap((each) => ['--set', each]);
    const objects = await helmTemplate('controller', '--namespace', 'tau-system', ...argv);
    expect(objects['apps/v1/Deployment/tau-system/tau-core-controller']).toMatchObject({
      spec: {
        replicas: 3,
        template: {
          spec: {
            containers: [
              {
                image: `registry.example/it@${digest}`,
                imagePullPolicy: 'Always',
                resources: { limits: { cpu: 2, memory: '512Mi' } },
              },
            ],
          },
        },
      },
    });
  });

  it.each(['replica=3', 'replicas=many', 'image.name=it', 'rbac.create=perhaps'])(
    'refuses the value %s, by its schema',
    async (value) => {
      await expect(helmTemplate('controller', '--set', value)).rejects.toThrow(/values don't meet the specifications/);
    },
  );
});

describe("the overlay's chart", () => {
  it('runs another release, and rolls what reads the archive', async () => {
    const before = await helmTemplate('overlay');
    const release = { tag: '1.0', sourceTree: '1'.repeat(40), archiveUri: 'file:///runtime-env/other.zip' };
    const argv = Object.entries(release).flatMap(([key, value]) => ['--set-string', `release.${key}=${value}`]);
    const after = await helmTemplate('overlay', ...argv);
    const text = JSON.stringify(after);
    expect(text).toContain('"image":"django-ray:1.0"');
    expect(text).toContain('{"name":"RAYGATE_RELEASE","value":"1.0"}');
    expect(text).not.toContain('local-gate-tree');
    const digest = (objects: Record<string, Manifest>, name: string) =>
      JSON.stringify(objects[`apps/v1/Deployment/django-ray/${name}`]).match(/"raygate\/config-sha256":"([^"]+)"/)?.[1];
    for (const name of ['django-web', 'django-ray-worker', 'django-ray-worker-sync', 'django-ray-worker-ml'])
      expect(digest(after, name), name).not.toBe(digest(before, name));
    expect(digest(after, 'prometheus')).toBe(digest(before, 'prometheus'));
  });
});
