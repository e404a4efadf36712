import { evidenceRows } from './evidenceRows.js';
import type { EvidenceSources } from './evidenceSources.js';

export const evidenceHeader = '=== Local KubeRay final gate evidence ===';
/** What a key says whose observation this gate does not make yet. */
export const notObserved = 'not-observed';
export const lineLimit = 72;
const partLimit = 999;

/** What the sources say under each key, whole, in the order of the keys. */
export function evidenceValues(sources: Partial<EvidenceSources>): ReadonlyMap<string, string> {
  return new Map(evidenceRows.map((row) => [row.key, row.text(sources) ?? notObserved]));
}

/** The block that follows from the sources: its header, then each key in its order. The sources are clean of secrets already. */
export function evidenceBlock(sources: Partial<EvidenceSources>): readonly string[] {
  return [evidenceHeader, ...[...evidenceValues(sources)].flatMap(([key, value]) => evidenceLines(key, value))];
}

/**
 * One key in lines of at most 72 characters: `key=value`, or `key_parts=NNN` and numbered pieces that join without a separator.
 * @throws RangeError for a key that is no lower snake case or too long, or a value of more than 999 pieces
 */
export function evidenceLines(key: string, value: string): readonly string[] {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(key))
    throw new RangeError(`The evidence key "${key}" is no lower snake case.`);
  const safe = /[\r\n]/.test(value) ? JSON.stringify(value).slice(1, -1) : value;
  const whole = `${key}=${safe}`;
  if (whole.length <= lineLimit) return [whole];
  const size = lineLimit - `${key}_part_000=`.length;
  if (size < 1) throw new RangeError(`The evidence key "${key}" leaves no room for a value.`);
  const count = Math.ceil(safe.length / size);
  if (count > partLimit)
    throw new RangeError(`The evidence key "${key}" needs ${count} parts, more than ${partLimit}.`);
  const number = (n: number) => String(n).padStart(3, '0');
  const parts = Array.from(
    { length: count },
    (_, i) => `${key}_part_${number(i + 1)}=${safe.slice(i * size, (i + 1) * size)}`,
  );
  return [`${key}_parts=${number(count)}`, ...parts];
}
