import { isClusterError } from '../../cluster/clusterError.js';
import { oneLine, textBounds } from '../../core/boundedText.js';
import { deadlineIn } from '../../core/deadline.js';
import { GateError, isGateError } from '../../core/gateError.js';
import { runFolder } from '../flows/stateFolder.js';
import type { StepContext } from '../flows/stepContext.js';
import type { RunPlan, StepLayer } from '../model/plan.js';
import { layerSeconds } from './flowTable.js';
import { openSession, type Session } from './session.js';

export interface StepInputs {
  readonly layer: StepLayer;
  readonly runId: string;
  readonly plan: RunPlan;
  /** A new value has run this step once more in the same run. */
  readonly again?: string;
}

/** A line on a terminal; the run's log has it whole. */
const progressCharacters = 160;
/** An API server that is away for longer than this ends the step, which may be run again. */
const openingSeconds = 120;

/**
 * Runs `act` with all that a layer works with, under the layer's deadline, while the Lease is this run's. Throws `GateError`, redacted
 * and bounded: the layer's own, or at once what ends the whole run.
 */
export async function openStep<T>(
  inputs: StepInputs,
  act: (context: StepContext, session: Session) => Promise<T>,
): Promise<T> {
  const { layer, runId, plan } = inputs;
  const run = runFolder(plan.stateFolder, runId);
  const deadline = deadlineIn(layerSeconds(layer, plan.deadlines));
  let clean = (text: string) => text;
  let last = '';
  const log = (text: string) => void run.log(text).catch(() => {}); // a full disk must not hide what the layer itself finds
  let ended = false;
  const progress = (line: string) => {
    // A step that was ended from outside may still be at work for a moment: what it says then would follow on its failure.
    if (ended) return;
    const text = clean(`[${layer}] ${line}`);
    const shown = oneLine(text, progressCharacters);
    log(text);
    if (shown === last) return;
    last = shown;
    process.stderr.write(`${shown}\n`);
  };
  let session: Session | undefined;
  try {
    session = await openSession(plan, runId);
    const { cluster, redactor, guard, assertHolds } = session;
    clean = redactor.clean;
    if (guard.failure) throw guard.failure;
    const opened = session;
    const asking = () => {
      const opening = deadlineIn(Math.min(openingSeconds, deadline.remainingMs() / 1000));
      return { layer, progress, deadline: opening };
    };
    const watch = () => opened.watch(asking());
    const work = async () => {
      await opened.hold(asking());
      return act({ layer, runId, plan, cluster, watch, deadline, redactor, run, assertHolds, progress }, opened);
    };
    return await guard.during(work());
  } catch (error) {
    ended = true;
    const end = session?.guard.failure;
    const failure = asGateError(error === end && end ? inLayer(end, layer) : error, layer, clean);
    log(`[${layer}] failed: ${failure.message} (${failure.code})`);
    throw failure;
  }
}

/** What ends the run ends this step too, whose row is where it is read. */
function inLayer({ code, message, retryable }: GateError, layer: StepLayer): GateError {
  return new GateError({ layer, code, message, retryable });
}

function asGateError(error: unknown, layer: StepLayer, cleanText: (text: string) => string): GateError {
  const clean = (text: string) => oneLine(cleanText(text), textBounds.secondaryContext.characters);
  if (isGateError(error)) {
    const { retryable } = error;
    return new GateError({ layer: error.layer, code: error.code, message: clean(error.message), retryable });
  }
  const code = isClusterError(error) ? `${layer}.${error.code}` : `${layer}.internal`;
  const message = clean(error instanceof Error ? error.message : String(error));
  return new GateError({ layer, code, message, retryable: isClusterError(error) && error.retryable });
}
