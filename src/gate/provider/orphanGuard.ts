import { watchAncestors } from '../../host/ancestry.js';

/** The shell script that starts the plugin host, and the engine above it (Pulumi 3.276). */
const depth = 2;
let watching = false;

/**
 * Ends this process when its engine is gone: after a `kill -9` of pulumi the plugin host lives on and would finish its step
 * beside the next `up` (seen). A step is safe to run again from wherever it was.
 */
export function endWhenOrphaned(): void {
  if (watching) return;
  watching = true;
  watchAncestors(depth, () => {
    process.stderr.write('the engine that this plugin worked for is gone: ending\n');
    process.exit(70);
  });
}
