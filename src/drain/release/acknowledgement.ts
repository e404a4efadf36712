import { members } from '../index/sortedSet.js';
import { blockerId } from './blocker.js';
import { countOf, type Hold, isUnreadable } from './hold.js';

/**
 * An operator's word that something may go although work is left: annotation `tau.azure.com/acknowledge-drain` with
 * `{"generation": 7, "blockers": ["Job/train-1/<uid>", …]}`, the ids as `raygate explain workspace` prints them.
 */
export type Acknowledgement =
  | { readonly kind: 'none' }
  /** It holds: what it names no longer keeps anything. */
  | { readonly kind: 'holds'; readonly blockers: number }
  /** Why it does not. One blocker that it does not name voids it as a whole, for everything. */
  | { readonly kind: 'void'; readonly reason: string };

const voided = (reason: string): Acknowledgement => ({ kind: 'void', reason });

/** Judges an acknowledgement against everything that keeps anything. Never throws. */
export function judgeAcknowledgement(
  annotation: string | undefined,
  generation: number,
  everything: Hold,
): Acknowledgement {
  if (annotation === undefined || annotation === '') return { kind: 'none' };
  const read = readAnnotation(annotation);
  if (typeof read === 'string') return voided(read);
  if (read.generation !== generation)
    return voided(`it is for generation ${read.generation}, the workspace has ${generation}: look again`);
  if (isUnreadable(everything)) return voided('something cannot be read, and nobody can answer for what nobody sees');
  const count = countOf(everything) - everything.first.size;
  const fewer = `it names ${read.blockers.size} blockers, and there are ${count}`;
  // Ids are distinct, so more blockers than named means that one is new; this keeps the look below short.
  if (count > read.blockers.size) return voided(fewer);
  const unnamed = firstUnnamed(everything, read.blockers);
  return unnamed === undefined ? { kind: 'holds', blockers: count } : voided(`it does not name ${unnamed}`);
}

function firstUnnamed({ work, evidence }: Hold, named: ReadonlySet<string>): string | undefined {
  for (const each of evidence.values()) if (!named.has(blockerId(each))) return blockerId(each);
  for (const { cell } of work) {
    for (const { row, name, uid } of members(cell.items)) {
      const id = blockerId({ kind: row.kind, name, uid });
      // Without a UID it could be another of that name by now.
      if (uid === '' || !named.has(id)) return id;
    }
  }
  return undefined;
}

function readAnnotation(text: string): { generation: number; blockers: ReadonlySet<string> } | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is no JSON';
  }
  const { generation, blockers } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  if (typeof generation !== 'number') return 'its generation is no number';
  if (!Array.isArray(blockers) || !blockers.every((each) => typeof each === 'string'))
    return 'its blockers are no list of texts';
  return { generation, blockers: new Set(blockers as string[]) };
}
