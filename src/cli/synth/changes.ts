import type { Files } from '../../infra/render/files.js';

export interface FileChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Which files a rendering changed: paths in their order, of contents that differ. */
export function fileChanges(before: Files, after: Files): FileChanges {
  const paths = (files: Files) => [...files.keys()].sort();
  return {
    added: paths(after).filter((path) => !before.has(path)),
    changed: paths(after).filter((path) => before.has(path) && before.get(path) !== after.get(path)),
    removed: paths(before).filter((path) => !after.has(path)),
  };
}

/** A line for each file that changed, and a last one with the counts. */
export function changeLines(
  { added, changed, removed }: FileChanges,
  count: number,
  folder: string,
): readonly string[] {
  const lines = [
    ...added.map((path) => `added:   ${path}`),
    ...changed.map((path) => `changed: ${path}`),
    ...removed.map((path) => `removed: ${path}`),
  ];
  if (lines.length === 0) return [`${count} files in ${folder}, none changed`];
  const counts = `${added.length} added, ${changed.length} changed, ${removed.length} removed`;
  return [...lines, `${count} files in ${folder}: ${counts}`];
}
