import { access } from 'node:fs/promises';

/** Whether something can be reached at the path; one that may not be looked at counts as not there. */
export function fileExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
