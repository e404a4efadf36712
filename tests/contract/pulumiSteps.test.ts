import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPulumiProject, type PulumiProject, pulumiFolder } from './support/pulumiProject.js';

const programs = await pulumiFolder();
const checkout = join(import.meta.dirname, '..', '..');

// Stands in for the compiled entry, under the path that the forwarder in state loads: it keeps a diary and fails when told to.
const entry = `
const { appendFileSync, existsSync } = require('node:fs');
const { endWhenOrphaned } = require(GUARD);
const act = async (verb, inputs) => {
  endWhenOrphaned();
  appendFileSync('diary', verb + ' ' + inputs.layer + ' ' + inputs.runId + '\\n');
  for (let i = 0; existsSync('slow-' + inputs.layer) && i < 150; i++) {
    await new Promise((done) => setTimeout(done, 100));
    appendFileSync('diary', 'still ' + inputs.layer + '\\n');
  }
  if (!existsSync('fail-' + inputs.layer)) return { ...inputs, seconds: 1 };
  const error = new Error('FAILED [' + inputs.layer + ']: told to fail (' + inputs.layer + '.test)');
  throw Object.assign(error, { id: inputs.layer, reasons: [error.message], properties: inputs });
};
exports.create = async (inputs) => ({ id: inputs.layer, outs: await act('create', inputs) });
exports.update = async (id, olds, news) => ({ outs: await act('update', news) });
exports.diff = async (id, olds, news) => ({ changes: olds.runId !== news.runId });
exports.remove = async (id, props) => { appendFileSync('diary', 'remove ' + props.layer + '\\n'); };
`;

const program = `
const { GateStep } = require(${JSON.stringify(join(checkout, 'dist', 'gate', 'steps', 'gateStep.js'))});
const runId = require('node:fs').readFileSync('run', 'utf8').trim();
const plan = { schema: 'raygate.plan/1', note: 'plain JSON', optional: undefined };
const step = (layer, ...dependsOn) => new GateStep({ layer, runId, plan }, { dependsOn });
const images = step('images');
const drain = step('drain');
const setup = step('setup', images, drain);
step('ray', setup);
`;

describe.skipIf(programs === undefined)('steps under the real CLI and the real plugin host', () => {
  let project: PulumiProject;

  beforeAll(async () => {
    project = await createPulumiProject(programs as string);
    await project.write('Pulumi.yaml', 'name: contract\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n');
    await project.write('package.json', '{"name":"contract","main":"index.js"}\n');
    await project.write('index.js', program);
    const guard = join(checkout, 'dist', 'gate', 'provider', 'orphanGuard.js');
    await project.write('dist/gate/provider/entry.js', entry.replace('GUARD', JSON.stringify(guard)));
    await project.write('run', 'run-1');
    await project.write('diary', '');
    expect(await project.pulumi('stack', 'init', 'test')).toMatchObject({ exitCode: 0 });
  });

  afterAll(() => project?.remove());

  const up = () => project.pulumi('up', '--yes', '--skip-preview');
  const diary = async () => {
    const lines = (await project.read('diary')).trim().split('\n').filter(Boolean);
    await project.write('diary', '');
    return lines;
  };

  test('a preview reaches no step', async () => {
    expect(await project.pulumi('preview')).toMatchObject({ exitCode: 0 });
    expect(await diary()).toEqual([]);
  });

  test('a step that fails says only its line, keeps its state, and stops what depends on it', async () => {
    await project.write('fail-setup', '');
    const { exitCode, output } = await up();
    expect(exitCode).not.toBe(0);
    expect(output).toContain('FAILED [setup]: told to fail (setup.test)');
    expect(output).not.toContain('at act');
    const seen = await diary();
    expect([...seen].sort()).toEqual(['create drain run-1', 'create images run-1', 'create setup run-1']);
    expect(await project.state()).toContain('dynamic/raygate:Step::setup');
  });

  test('the next up runs the failed step again and goes on from there', async () => {
    await rm(join(project.folder, 'fail-setup'));
    expect(await up()).toMatchObject({ exitCode: 0 });
    expect(await diary()).toEqual(['update setup run-1', 'create ray run-1']);
  });

  test('with the same run id nothing runs', async () => {
    expect(await up()).toMatchObject({ exitCode: 0 });
    expect(await diary()).toEqual([]);
  });

  test('with a new run id every step runs, in the order of the graph', async () => {
    await project.write('run', 'run-2');
    expect(await up()).toMatchObject({ exitCode: 0 });
    const seen = await diary();
    expect([...seen.slice(0, 2)].sort()).toEqual(['update drain run-2', 'update images run-2']);
    expect(seen.slice(2)).toEqual(['update setup run-2', 'update ray run-2']);
  });

  test('a step that fails again in an update keeps its state too', async () => {
    await project.write('run', 'run-3');
    await project.write('fail-ray', '');
    expect((await up()).output).toContain('FAILED [ray]: told to fail (ray.test)');
    await rm(join(project.folder, 'fail-ray'));
    await diary();
    expect(await up()).toMatchObject({ exitCode: 0 });
    expect(await diary()).toEqual(['update ray run-3']);
  });

  test('a step ends with the engine that is killed under it, and the next up runs it again', async () => {
    await project.write('run', 'run-4');
    await project.write('slow-setup', '');
    const engine = project.start('up', '--yes', '--skip-preview');
    await vi.waitFor(async () => expect(await project.read('diary')).toContain('still setup'), {
      timeout: 30_000,
      interval: 100,
    });
    engine.kill('SIGKILL');
    await pause(2_000);
    const after = (await project.read('diary')).length;
    await pause(1_500);
    expect((await project.read('diary')).length).toBe(after);
    await rm(join(project.folder, 'slow-setup'));
    await diary();
    expect((await up()).output).toContain('locked');
    expect(await project.pulumi('cancel', '--yes')).toMatchObject({ exitCode: 0 });
    expect(await up()).toMatchObject({ exitCode: 0 });
    expect(await diary()).toEqual(['update setup run-4', 'update ray run-4']);
  });

  test('what is in state is a forwarder that captures nothing', async () => {
    const state = await project.state();
    const { deployment } = JSON.parse(state) as { deployment: { resources: { inputs?: { __provider?: string } }[] } };
    const providers = deployment.resources.map((one) => one.inputs?.__provider).filter((text) => text !== undefined);
    expect(providers.length).toBe(4);
    expect(new Set(providers).size).toBe(1);
    expect(providers[0]).toContain('/dist/gate/provider/entry.js');
    expect(providers[0]).not.toContain(checkout);
    expect(providers[0]).not.toContain('__awaiter');
    expect(state).not.toContain('correct horse');
  });

  test('a destroy asks each step, last first', async () => {
    await diary();
    expect(await project.pulumi('destroy', '--yes', '--skip-preview')).toMatchObject({ exitCode: 0 });
    expect((await diary()).slice(0, 2)).toEqual(['remove ray', 'remove setup']);
  });
});
