/**
 * The candidate that a mistyped word most likely means: at most two edits away, and fewer than half of its own letters.
 * Undefined when none is near; the first in the given order when several are equally near.
 */
export function nearMatch(word: string, candidates: readonly string[]): string | undefined {
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of candidates) {
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (edits <= 2 && edits * 2 < candidate.length && (best === undefined || edits < best.edits))
      best = { candidate, edits };
  }
  return best?.candidate;
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, substitution, swap));
    }
  }
  return cell(a.length, b.length);
}
