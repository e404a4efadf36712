// One measured piece of work of bench:synth, in a process of its own: node synthWork.mjs <what> <objects> <folder>
//   render  constructs -> objects -> inventory check -> YAML text
//   dump    the same objects, as they are, through the same YAML library
//   lay     writes what the other two and kustomize need: the objects as JSON, and a Kustomize base
// The last line of stdout is JSON: seconds of the work itself, without the start of the process.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';

const require = createRequire(import.meta.url);
const dist = (path) => require(join(import.meta.dirname, '../../dist', path));
const [what, count, folder] = [process.argv[2], Number(process.argv[3]), process.argv[4]];

/** As many objects as asked for, of the overlay's own constructs in the overlay's own proportions: Deployments, Services, ConfigMaps. */
function synthesised() {
  const { App, Chart } = require('cdk8s');
  const { TaskManager } = dist('infra/constructs/taskManager.js');
  const { PlainConfigMap } = dist('infra/constructs/plainConfigMap.js');
  const { ComponentService } = dist('infra/constructs/componentService.js');
  const { StackNamespace } = dist('infra/constructs/namespace.js');
  const { plannedObjects } = dist('infra/charts/plannedObjects.js');
  const { profiles } = dist('infra/profiles.js');
  const resources = profiles.full.resources.application;
  const chart = new Chart(new App(), 'bench');
  new StackNamespace(chart, 'namespace');
  for (let index = 1; index < count; index += 1) {
    const name = `part-${index}`;
    if (index % 3 === 0) {
      const data = { 'settings.json': JSON.stringify({ index, limits: { rows: 1000, seconds: 30 } }), MODE: 'on' };
      new PlainConfigMap(chart, name, { name, data });
    } else if (index % 3 === 1) {
      new ComponentService(chart, name, { name, selector: { app: 'django-ray', part: name }, port: 8000 });
    } else {
      new TaskManager(chart, name, {
        name,
        pool: name,
        queues: [name],
        execution: 'cluster',
        concurrency: 4,
        replicas: 1,
        releaseTag: 'bench',
        configDigest: '0'.repeat(16),
        resources,
        waitResources: resources,
      });
    }
  }
  return plannedObjects(chart);
}

const works = {
  render() {
    const { checkInventory } = dist('infra/inventory/check.js');
    const { renderYaml } = dist('infra/render/yaml.js');
    const { inApplyOrder } = dist('infra/render/applyOrder.js');
    const objects = synthesised();
    const problems = checkInventory(objects, {
      declared: objects,
      namespace: 'django-ray',
      releaseTag: 'bench',
      repository: 'django-ray',
    });
    if (problems.length > 0) throw new Error(problems[0]);
    return renderYaml(inApplyOrder(objects));
  },
  dump() {
    const { stringify } = require('yaml');
    const manifests = JSON.parse(readFileSync(join(folder, 'objects.json'), 'utf8'));
    return manifests.map((manifest) => `---\n${stringify(manifest)}`).join('');
  },
};

if (what === 'lay') {
  const { renderKustomize } = dist('infra/render/kustomize.js');
  const objects = synthesised();
  if (objects.length !== count) throw new Error(`${objects.length} objects were made, not ${count}`);
  mkdirSync(join(folder, 'kustomize'), { recursive: true });
  writeFileSync(join(folder, 'objects.json'), JSON.stringify(objects.map(({ manifest }) => manifest)));
  for (const [path, text] of renderKustomize(objects)) {
    mkdirSync(dirname(join(folder, 'kustomize', path)), { recursive: true });
    writeFileSync(join(folder, 'kustomize', path), text);
  }
} else {
  const start = performance.now();
  const text = works[what]();
  const seconds = (performance.now() - start) / 1000;
  writeFileSync(join(folder, `${what}.yaml`), text);
  process.stdout.write(`${JSON.stringify({ seconds, bytes: text.length })}\n`);
}
