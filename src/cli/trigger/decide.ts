import { exactness, fits } from './pattern.js';
import { type GateAnswer, gateAnswers, type RestartAnswer, restartAnswers, type TriggerRow } from './rows.js';

/** What one path needs, and why. `row` is undefined for a path that no row covers. */
export interface PathDecision {
  readonly path: string;
  readonly row: TriggerRow | undefined;
  readonly gate: GateAnswer;
  readonly rayRestart: RestartAnswer;
}

export interface TriggerDecision {
  readonly gate: GateAnswer;
  readonly rayRestart: RestartAnswer;
  /** The first path that asked for that much; undefined when nothing was changed. */
  readonly gateDecidedBy: PathDecision | undefined;
  readonly restartDecidedBy: PathDecision | undefined;
  readonly paths: readonly PathDecision[];
}

/**
 * The strongest answer that any of the paths asks for. For one path the most exact pattern decides; a path that no row covers
 * asks for everything, since nobody has said what it reaches.
 */
export function decideTrigger(paths: readonly string[], rows: readonly TriggerRow[]): TriggerDecision {
  const decisions = [...new Set(paths)].sort().map((path): PathDecision => {
    const row = rowOf(path, rows);
    return row
      ? { path, row, gate: row.gate, rayRestart: row.rayRestart }
      : { path, row, gate: 'required', rayRestart: 'required' };
  });
  const gateDecidedBy = strongest(decisions, ({ gate }) => gateAnswers.indexOf(gate));
  const restartDecidedBy = strongest(decisions, ({ rayRestart }) => restartAnswers.indexOf(rayRestart));
  return {
    gate: gateDecidedBy?.gate ?? 'not applicable',
    rayRestart: restartDecidedBy?.rayRestart ?? 'skip',
    gateDecidedBy,
    restartDecidedBy,
    paths: decisions,
  };
}

/** The row of the most exact pattern that fits; of two equally exact ones, the row that stands first. */
export function rowOf(path: string, rows: readonly TriggerRow[]): TriggerRow | undefined {
  let best: { readonly row: TriggerRow; readonly exact: number } | undefined;
  for (const row of rows)
    for (const pattern of row.paths)
      if (fits(pattern, path) && exactness(pattern) > (best?.exact ?? -1)) best = { row, exact: exactness(pattern) };
  return best?.row;
}

function strongest(
  decisions: readonly PathDecision[],
  strength: (decision: PathDecision) => number,
): PathDecision | undefined {
  return decisions.reduce<PathDecision | undefined>(
    (best, each) => (best === undefined || strength(each) > strength(best) ? each : best),
    undefined,
  );
}
