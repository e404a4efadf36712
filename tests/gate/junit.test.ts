import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type StepLayer, stepLayers } from '../../src/gate/model/plan.js';
import { type GateReport, reportOfEvidence } from '../../src/gate/report/gateReport.js';
import { junitXml } from '../../src/gate/report/junit.js';
import { reportOfRun } from '../../src/gate/report/runReport.js';
import { visibleText } from '../../src/gate/report/visibleText.js';
import { evidenceDocument, layerTime, observationOf } from '../builders/evidence.js';
import { expectNested, readMarkup, type Token } from '../builders/markupReader.js';

type Opened = Extract<Token, { kind: 'open' }>;
const elements = (xml: string, name: string) =>
  readMarkup(xml).filter((token): token is Opened => token.kind === 'open' && token.name === name);

const failedRun = (line: string): GateReport =>
  reportOfRun({
    runId: 'run-1',
    platform: 'lab',
    source: { commit: 'c', tree: 't' },
    finishedAt: '2026-01-31T12:03:00.000Z',
    preflight: layerTime(0, 3),
    observations: [observationOf('drain')],
    failures: [{ layer: 'ray', code: 'ray.pod-not-owned', line, time: layerTime(4, 65.25) }],
  });

const layerSeconds = (layer: StepLayer) => {
  const { observations, evidence } = evidenceDocument();
  return (layer === 'evidence' ? evidence : observations[layer]).seconds.toFixed(3);
};

describe('the JUnit file', () => {
  test('of a proven run has a passed case for each layer in the order of the gate, with its seconds', () => {
    const xml = junitXml(reportOfEvidence(evidenceDocument()));
    expect(elements(xml, 'testcase').map(({ attributes }) => [attributes['name'], attributes['time']])).toEqual([
      ['preflight', '3.900'],
      ...stepLayers.map((layer) => [layer, layerSeconds(layer)]),
    ]);
    expect([layerSeconds('ray'), layerSeconds('evidence')]).toEqual(['57.500', '1.100']);
    expect(elements(xml, 'testsuite')[0]?.attributes).toEqual({
      name: 'gate',
      timestamp: '2026-01-31T12:00:00.000Z',
      tests: String(stepLayers.length + 1),
      failures: '0',
      errors: '0',
      skipped: '0',
      time: '187.400',
    });
    expect([elements(xml, 'failure'), elements(xml, 'skipped')]).toEqual([[], []]);
  });

  test('of a failed run says the layer, its code and the line in one line, and which layers did not run', () => {
    const xml = junitXml(failedRun('FAILED [ray]: pod x\n is not ours (ray.pod-not-owned)'));
    expect(elements(xml, 'failure').map(({ attributes }) => attributes)).toEqual([
      { type: 'ray.pod-not-owned', message: 'FAILED [ray]: pod x is not ours (ray.pod-not-owned)' },
    ]);
    const [suite] = elements(xml, 'testsuite');
    expect([suite?.attributes['tests'], suite?.attributes['failures'], suite?.attributes['skipped']]).toEqual([
      String(stepLayers.length + 1),
      '1',
      String(stepLayers.length - 2),
    ]);
    const failing = xml.split('\n').find((line) => line.includes('<failure'));
    expect(failing).toMatch(/^ {4}<testcase .* name="ray" time="61\.250"><failure .*<\/failure><\/testcase>$/);
  });

  test('says whatever it is told, is well formed, and has no character that XML forbids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (hostile, name) => {
        const report = failedRun(`${name}<b>&"'${hostile}`);
        const xml = junitXml({ ...report, platform: name });
        const tokens = readMarkup(xml);
        expectNested(tokens);
        expect(xml.isWellFormed()).toBe(true);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: it is control characters that are looked for
        expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/);
        const said = visibleText(`${name}<b>&"'${hostile}`.replace(/\s+/g, ' '));
        expect(elements(xml, 'failure')[0]?.attributes['message']).toBe(said);
        const text = tokens[tokens.findIndex((token) => token.kind === 'open' && token.name === 'failure') + 1];
        expect(text).toEqual({ kind: 'text', text: said });
        expect(elements(xml, 'testcase')).toHaveLength(report.layers.length);
      }),
    );
  }, 60_000);
});
