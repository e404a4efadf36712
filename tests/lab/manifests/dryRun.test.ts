import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { synthChartNames } from '../../../src/cli/synth/charts.js';
import { replaceFolder } from '../../../src/cli/synth/outputFolder.js';
import { renderManifests, synthFormats } from '../../../src/cli/synth/renderManifests.js';
import { goTool } from '../../contract/support/goTool.js';
import { type Kubectl, kubectlOn } from '../../contract/support/kubectl.js';
import { namespaceOf, type RenderedForms, renderedForm } from '../../contract/support/renderedForms.js';

let folder: string;
let forms: RenderedForms;
let kubectl: Kubectl;
const made: string[] = [];

beforeAll(async () => {
  const { RAYGATE_TEST_KUBECONFIG: kubeconfig, RAYGATE_TEST_BINARIES: binaries } = process.env;
  if (!kubeconfig || !binaries) throw new Error('run it with npm run test:lab, which says where the lab is');
  kubectl = kubectlOn(kubeconfig);
  folder = await mkdtemp(join(tmpdir(), 'raygate-dry-run-'));
  forms = { folder: join(folder, 'manifests'), kubectl: join(binaries, 'kubectl'), helm: await goTool('helm') };
  await replaceFolder(forms.folder, renderManifests(synthChartNames, synthFormats));
  // A server-side dry run of what lies in a namespace needs the namespace.
  for (const namespace of Object.values(namespaceOf))
    if ((await kubectl(['create', 'namespace', namespace])).ok) made.push(namespace);
}, 900_000);

afterAll(async () => {
  for (const namespace of made) await kubectl(['delete', 'namespace', namespace, '--wait=false']);
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** A Job's template cannot be changed: where the stack lies, the Job of another release is tried under a name of its own. */
function tried(stream: string): string {
  const objects = parseAllDocuments(stream, { version: '1.1' })
    .map((document) => document.toJS() as { kind: string; metadata: { name: string } } | null)
    .filter((object) => object !== null);
  const renamed = objects.map((object) =>
    object.kind === 'Job'
      ? { ...object, metadata: { ...object.metadata, name: `${object.metadata.name}-dry-run` } }
      : object,
  );
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: renamed });
}

/** The overlay's contract asks for the annotation: it also works where no IngressClass object is. */
const knownWarning = /^Warning: annotation "kubernetes\.io\/ingress\.class" is deprecated/;

describe.each(synthChartNames)('a strict server-side dry run of chart %s is clean', (chart) => {
  it.each(synthFormats)('as %s', async (format) => {
    const argv = ['apply', '--server-side', '--force-conflicts', '--dry-run=server', '--validate=strict', '-f', '-'];
    const answer = await kubectl(argv, tried(await renderedForm(forms, chart, format)));
    const said = answer.stderr.split('\n').filter((line) => line !== '' && !knownWarning.test(line));
    expect([answer.ok, said]).toEqual([true, []]);
    expect(answer.stdout.trim().split('\n').length).toBeGreaterThan(10);
  });
});
