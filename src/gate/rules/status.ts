import type { LayerLine, Status, StatusFacts } from '../model/status.js';
import { holderWords } from './lease.js';

/** What a layer says last when it has nothing more to do. */
const ended = /^(?:passed in |failed: )/;

/** What there is to say of a stack, from what was read of it. */
export function judgeStatus(facts: StatusFacts): Status {
  const isProven = facts.decision.kind === 'still-proven';
  const isWhole = facts.layers.every(({ state }) => state === 'ready' || state === 'seen');
  return {
    healthy: isProven && isWhole,
    proof: proofWords(facts),
    run: runWords(facts),
    steps: stepsOf(facts),
    layers: facts.layers,
    up: upOf(facts),
  };
}

function isUnderWay({ run, lease }: StatusFacts): boolean {
  return lease?.facts.holder !== undefined && lease.facts.holder.runId === run?.runId && lease.life !== 'dead';
}

function proofWords({ proof, decision }: StatusFacts): string {
  if (proof === undefined) return 'nothing was proven yet';
  const what = `run ${proof.runId} of ${proof.finishedAt}, commit ${proof.commit.slice(0, 12)}`;
  if (decision.kind === 'still-proven') return `holds: ${what} (checked live: ${decision.checked.join(', ')})`;
  if (decision.kind === 'new') return `holds no more: ${what}: ${decision.why}`;
  return `${what}; ${decision.kind === 'continued' ? 'a later run did not end' : 'whether it holds was not looked at'}`;
}

function runWords(facts: StatusFacts): string {
  const { run, lease, proof } = facts;
  if (facts.unreadable !== undefined) return `unknown: the cluster cannot be read: ${facts.unreadable}`;
  const other = lease !== undefined && lease.facts.identity !== '' && lease.life !== 'dead' && !isUnderWay(facts);
  if (lease && other)
    return `not this stack's on this machine: the Lease is held by ${holderWords(lease.facts)} since ${lease.facts.acquireTime}`;
  if (run === undefined) return 'none was begun on this machine';
  if (lease && isUnderWay(facts)) {
    const pid = lease.facts.holder?.process.pid;
    const how = lease.life === 'alive' ? '' : ', whose process cannot be seen from here';
    return `${run.runId} is under way since ${lease.facts.acquireTime}, pid ${pid}${how}`;
  }
  if (run.runId === proof?.runId) return 'none is under way; the last one ended in proof';
  if (run.voidReason !== undefined)
    return `none is under way; ${run.runId} ended and can prove nothing more: ${run.voidReason}`;
  return `none is under way; ${run.runId} did not end`;
}

function stepsOf(facts: StatusFacts): readonly LayerLine[] {
  const { run, proof } = facts;
  if (run === undefined || run.runId === proof?.runId) return [];
  if (isUnderWay(facts)) return run.lines.filter(({ text }) => !ended.test(text));
  return run.lines.filter(({ text }) => !text.startsWith('passed in '));
}

function upOf({ decision }: StatusFacts): Status['up'] {
  switch (decision.kind) {
    case 'still-proven':
      return { does: 'nothing', why: 'source, settings and everything that was proven are the same' };
    case 'continued':
      return { does: 'continue', why: `run ${decision.runId} of the same plan did not end` };
    case 'new':
      return { does: 'new-run', why: decision.why };
    case 'refused':
      return { does: 'refused', why: decision.why };
  }
}
