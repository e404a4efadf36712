/** Lines shown around a change. */
const contextLines = 3;

/** Compared cell by cell below this many cells; a larger change is shown as removed and added whole. */
const cellLimit = 4_000_000;

type Edit = { readonly sign: ' ' | '-' | '+'; readonly line: string };

/** A unified diff of two texts, without the two lines that name the files; empty when they are equal. */
export function textDiff(before: string, after: string): readonly string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  if (start === a.length && start === b.length) return [];
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const middle = edits(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const same = (lines: readonly string[]): Edit[] => lines.map((line) => ({ sign: ' ', line }));
  return hunks([...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))]);
}

/** The shortest way from one list of lines to the other, by their longest common subsequence. */
function edits(a: readonly string[], b: readonly string[]): Edit[] {
  const removed = (lines: readonly string[]): Edit[] => lines.map((line) => ({ sign: '-', line }));
  const added = (lines: readonly string[]): Edit[] => lines.map((line) => ({ sign: '+', line }));
  if (a.length * b.length > cellLimit) return [...removed(a), ...added(b)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] as number;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      found.push({ sign: ' ', line: a[i] as string });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) found.push(...removed([a[i++] as string]));
    else found.push(...added([b[j++] as string]));
  }
  return [...found, ...removed(a.slice(i)), ...added(b.slice(j))];
}

function hunks(all: readonly Edit[]): readonly string[] {
  const near = new Set<number>();
  for (const [index, { sign }] of all.entries())
    if (sign !== ' ') for (let shown = index - contextLines; shown <= index + contextLines; shown += 1) near.add(shown);
  const lines: string[] = [];
  let [oldLine, newLine] = [1, 1];
  let open = false;
  for (const [index, { sign, line }] of all.entries()) {
    if (near.has(index)) {
      if (!open) lines.push(`@@ -${oldLine} +${newLine} @@`);
      lines.push(`${sign}${line}`);
    }
    open = near.has(index);
    if (sign !== '+') oldLine += 1;
    if (sign !== '-') newLine += 1;
  }
  return lines;
}
