import { describe, expect, test } from 'vitest';
import { stepLayers } from '../../src/gate/model/plan.js';
import { inTotoStatement } from '../../src/gate/report/statement.js';
import { archiveUri, evidenceDocument, observationOf, sourceTree } from '../builders/evidence.js';

const hex = (digit: string, length: number) => digit.repeat(length);
const parsed = (document = evidenceDocument()) => JSON.parse(inTotoStatement(document, 'text'));

describe('the in-toto statement', () => {
  test('is of the types that the framework names, and says that nothing signs it', () => {
    const statement = parsed();
    expect(Object.keys(statement)).toEqual(['_type', 'subject', 'predicateType', 'predicate']);
    expect([statement._type, statement.predicateType]).toEqual([
      'https://in-toto.io/Statement/v1',
      'https://in-toto.io/attestation/test-result/v0.1',
    ]);
    expect(statement.predicate.raygate_run).toMatchObject({
      signed: false,
      note: expect.stringContaining('not signed'),
    });
  });

  test('has a subject for each digest of both images, and one for the archive', () => {
    const { app, legacy } = evidenceDocument().observations.images.facts;
    const subject = parsed().subject.map((one: { name: string; digest: unknown }) => [one.name, one.digest]);
    expect(subject).toEqual([
      [`${app.reference} (index)`, { sha256: hex('a', 64) }],
      [`${app.reference} (manifest)`, { sha256: hex('a', 32) + hex('0', 32) }],
      [`${app.reference} (config)`, { sha256: hex('a', 32) + hex('9', 32) }],
      [`${legacy.reference} (index)`, { sha256: hex('b', 64) }],
      [`${legacy.reference} (manifest)`, { sha256: hex('b', 32) + hex('0', 32) }],
      [`${legacy.reference} (config)`, { sha256: hex('b', 32) + hex('9', 32) }],
      [archiveUri.slice('file:///runtime-env/'.length), { sha256: hex('e', 64) }],
    ]);
  });

  test('names no digest that is not known', () => {
    const images = observationOf('images');
    const { index: _index, manifest: _manifest, ...app } = images.facts.app;
    const facts = { ...images.facts, app: { ...app, index: undefined, manifest: undefined } };
    const document = evidenceDocument({
      observations: { ...evidenceDocument().observations, images: { ...images, facts } },
    });
    const names = parsed(document).subject.map((one: { name: string }) => one.name);
    expect(names.filter((name: string) => name.startsWith(`${app.reference} `))).toEqual([`${app.reference} (config)`]);
  });

  test('gives the layers as the tests that passed, the source as what they ran on, and the evidence by its digest', () => {
    const { predicate } = parsed();
    expect(predicate).toMatchObject({ result: 'PASSED', warnedTests: [], failedTests: [] });
    expect(predicate.passedTests).toEqual(['preflight', ...stepLayers]);
    expect(predicate.configuration).toEqual([
      { name: 'source', digest: { gitCommit: hex('2', 40), gitTree: sourceTree } },
      { name: `git archive ${hex('2', 40)}`, digest: { sha256: hex('7', 64) } },
    ]);
    expect(predicate.raygate_run.evidence).toEqual({
      name: 'evidence.json',
      digest: { sha256: '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1' },
    });
  });
});
