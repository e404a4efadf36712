import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GateError } from '../../src/core/gateError.js';
import { preflightMark } from '../../src/gate/flows/evidenceReport.js';
import {
  forgetFailure,
  forgetReport,
  noteFailure,
  readFailure,
  reportFailure,
  reportPreflightFailure,
} from '../../src/gate/flows/failureReport.js';
import { runFolder } from '../../src/gate/flows/stateFolder.js';
import { type StepLayer, stepLayers } from '../../src/gate/model/plan.js';
import { runStep } from '../../src/gate/provider/runStep.js';
import { layerTime, observationOf } from '../builders/evidence.js';
import { runPlan } from '../builders/step.js';

let stateFolder: string;
beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'raygate-failure-'));
});
afterEach(() => rm(stateFolder, { recursive: true, force: true }));

const step = (layer: StepLayer, runId = 'run-1') => ({ layer, runId, plan: runPlan(stateFolder) });
const wrong = (layer: StepLayer, code = `${layer}.x`) => new GateError({ layer, code, message: `${layer} is wrong.` });
const report = async () => JSON.parse(await readFile(join(stateFolder, 'failure', 'failure.json'), 'utf8'));
const results = async () =>
  (await report()).layers.map((layer: { layer: string; result: string }) => `${layer.layer} ${layer.result}`);

describe('the report of a failed run', () => {
  test('names the layer and its code, what passed before, and what did not run', async () => {
    const run = runFolder(stateFolder, 'run-1');
    await run.writeMark(preflightMark, layerTime(0, 3));
    await run.writeObservation({ ...observationOf('images'), runId: 'run-1' });
    await noteFailure(step('drain'), wrong('drain', 'drain.work-left'), layerTime(3, 9, [[4, 'Job x']]));
    expect(await report()).toMatchObject({ schema: 'raygate.failure/1', result: 'failed', runId: 'run-1' });
    expect(await results()).toEqual([
      'preflight passed',
      'images passed',
      'drain failed',
      ...stepLayers.slice(2).map((layer) => `${layer} not-run`),
    ]);
    const { layers } = await report();
    expect(layers[2]).toEqual({
      layer: 'drain',
      result: 'failed',
      time: layerTime(3, 9, [[4, 'Job x']]),
      failure: { code: 'drain.work-left', line: 'FAILED [drain]: drain is wrong. (drain.work-left)' },
    });
    const files = (await readdir(join(stateFolder, 'failure'))).sort();
    expect(files).toEqual(['failure.html', 'failure.json', 'failure.junit.xml']);
    expect(await readFile(join(stateFolder, 'failure', 'failure.junit.xml'), 'utf8')).toContain(
      'type="drain.work-left"',
    );
  });

  test('says that a layer failed which had passed before', async () => {
    await runFolder(stateFolder, 'run-1').writeObservation({ ...observationOf('images'), runId: 'run-1' });
    await noteFailure(step('images'), wrong('images'), layerTime(0, 2));
    expect((await results())[1]).toBe('images failed');
  });

  test('names both layers that failed side by side, whichever came first', async () => {
    await Promise.all([
      noteFailure(step('images'), wrong('images'), layerTime(0, 2)),
      noteFailure(step('drain'), wrong('drain'), layerTime(0, 1)),
    ]);
    expect((await results()).slice(0, 4)).toEqual([
      'preflight not-run',
      'images failed',
      'drain failed',
      'setup not-run',
    ]);
    expect(await readFailure(stateFolder)).toEqual([
      'FAILED [images]: images is wrong. (images.x)',
      'FAILED [drain]: drain is wrong. (drain.x)',
    ]);
  });

  test('is gone when the layer works again, and keeps what else failed', async () => {
    await noteFailure(step('images'), wrong('images'), layerTime(0, 2));
    await noteFailure(step('drain'), wrong('drain'), layerTime(0, 1));
    await forgetFailure(step('images'));
    expect(await readFailure(stateFolder)).toEqual(['FAILED [drain]: drain is wrong. (drain.x)']);
    await forgetFailure(step('drain'));
    expect([await readFailure(stateFolder), await readdir(stateFolder)]).toEqual([undefined, ['runs']]);
  });

  test("is gone when another run's layer begins", async () => {
    await noteFailure(step('ray'), wrong('ray'), layerTime(0, 2));
    await forgetFailure(step('images', 'run-2'));
    expect(await readFailure(stateFolder)).toBeUndefined();
  });

  test('of preflight needs no run', async () => {
    const error = new GateError({ layer: 'preflight', code: 'preflight.source.dirty', message: 'x' });
    const place = { stateFolder, platform: 'lab', source: { commit: 'c', tree: 't' } };
    await reportPreflightFailure(place, error, layerTime(0, 1));
    expect((await results())[0]).toBe('preflight failed');
    expect((await report()).runId).toBeUndefined();
    await forgetReport(stateFolder);
    expect(await readdir(stateFolder)).toEqual([]);
  });
});

describe('a failure outside of the steps', () => {
  test('stands in its place among the layers', async () => {
    const place = { stateFolder, platform: 'lab', source: { commit: 'c', tree: 't' } };
    const failure = {
      layer: 'apply' as const,
      code: 'start.update-failed',
      line: 'FAILED [apply]: x',
      time: layerTime(0, 1),
    };
    await reportFailure(place, failure);
    expect((await results()).slice(2, 5)).toEqual(['drain not-run', 'apply failed', 'setup not-run']);
  });
});

describe('a step that fails', () => {
  test('leaves a report, no evidence, and throws what it failed of', async () => {
    await expect(runStep(step('images'))).rejects.toMatchObject({ code: 'kubeconfig.unreadable' });
    expect((await results())[1]).toBe('images failed');
    expect((await readdir(stateFolder)).sort()).toEqual(['failure', 'runs']);
  });

  test('is said to have failed of that, also when no report can be written', async () => {
    const file = join(stateFolder, 'file');
    await writeFile(file, '');
    const plan = { ...step('images').plan, stateFolder: file };
    await expect(runStep({ ...step('images'), plan })).rejects.toMatchObject({ code: 'kubeconfig.unreadable' });
  });
});
