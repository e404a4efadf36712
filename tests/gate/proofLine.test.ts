import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunDecision } from '../../src/gate/flows/decideRun.js';
import { readProof } from '../../src/gate/flows/readProof.js';
import { evidencePath, writeJson } from '../../src/gate/flows/stateFolder.js';
import { proofLine } from '../../src/gate/report/proofLine.js';
import { evidenceDocument } from '../builders/evidence.js';
import { runPlan, tree } from '../builders/step.js';

const runId = '20260131T120000Z-1a2b3c4d';
const planOf = (of: string) => {
  const { plan } = evidenceDocument();
  return { ...plan, source: { ...plan.source, tree: of } };
};
const evidence = { runId, finishedAt: '2026-01-31T12:03:00Z', plan: planOf(tree) };
const fresh: RunDecision = { kind: 'new', runId, why: 'x' };
const continued: RunDecision = { kind: 'continued', runId, startedAt: 'x' };
const still: RunDecision = { kind: 'still-proven', runId, since: 'x', checked: [] };
const proven = 'proven: tree 111111111111, run 20260131T120000Z-1a2b3c4d, evidence of 2026-01-31T12:03:00Z';
const not = 'not proven: run 20260131T120000Z-1a2b3c4d of tree 111111111111 has no evidence';

describe('the proof in one line', () => {
  const rows: readonly [string, RunDecision, typeof evidence | undefined, string][] = [
    ['of a new run', fresh, evidence, proven],
    ['of a run that was continued', continued, evidence, proven],
    ['of a run that still holds', still, evidence, `still ${proven}`],
    ['claims nothing without evidence', fresh, undefined, not],
    ['claims nothing with evidence of another run', fresh, { ...evidence, runId: 'other' }, not],
    ['claims nothing with evidence of another tree', still, { ...evidence, plan: planOf('9'.repeat(40)) }, not],
  ];
  it.each(rows)('%s', (_name, decision, document, line) => {
    expect(proofLine({ decision, tree, evidence: document })).toBe(line);
  });

  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-proof-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is read off the evidence that lies in the state folder', async () => {
    expect(await readProof(runPlan(folder), fresh)).toBe(not);
    await writeJson(evidencePath(folder), evidence);
    expect(await readProof(runPlan(folder), fresh)).toBe(proven);
  });
});
