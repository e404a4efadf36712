import type { Outcome } from '../core/outcome.js';
import { failed, ready, type Verdict, waiting } from '../core/verdict.js';
import type { FiniteWork } from './finiteWork.js';

/** What one source of work answered. `absent`: the source itself is not there (an unserved kind, no web yet), so it is empty. */
export interface WorkSource {
  /** `Workloads`, `executions`. */
  readonly name: string;
  readonly outcome: Outcome<readonly FiniteWork[]>;
}

export interface DrainFacts {
  /** Sources that were read and were empty. */
  readonly empty: readonly string[];
  /** Sources that do not exist. */
  readonly notPresent: readonly string[];
}

const shown = 5;

/**
 * Whether nothing is under way that a restart would lose. An unserved kind is empty; one that cannot be read fails closed,
 * but is waited for while the same read may succeed later by itself.
 */
export function judgeDrained(sources: readonly WorkSource[]): Verdict<DrainFacts> {
  for (const { name, outcome } of sources) {
    if (outcome.kind === 'unreadable' && !outcome.retryable) {
      return failed(
        'drain.unreadable',
        `${name} cannot be read (${outcome.reason}), so unfinished work cannot be ruled out.`,
      );
    }
  }
  const unreadable = sources.flatMap(({ name, outcome }) =>
    outcome.kind === 'unreadable' ? [`${name} cannot be read yet (${outcome.reason})`] : [],
  );
  if (unreadable.length > 0) return waiting('drain.unreadable', unreadable.join('; '));
  const work = sources.flatMap(({ outcome }) => (outcome.kind === 'found' ? outcome.value : []));
  if (work.length > 0) {
    const names = work.slice(0, shown).map((item) => `${item.identity} (${item.state})`);
    const more = work.length > shown ? ` and ${work.length - shown} more` : '';
    return waiting('drain.unfinished-work', `${work.length} unfinished: ${names.join(', ')}${more}`);
  }
  return ready({
    empty: sources.filter((source) => source.outcome.kind === 'found').map((source) => source.name),
    notPresent: sources.filter((source) => source.outcome.kind === 'absent').map((source) => source.name),
  });
}
