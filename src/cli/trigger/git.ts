import { childEnvironment } from '../../host/environment.js';
import { isProcessFailure, run } from '../../host/process.js';

const timeoutSeconds = 60;

/** What git says, as it says it, whatever the user's configuration and locale. @throws ProcessFailure */
export async function git(folder: string, ...argv: readonly string[]): Promise<string> {
  const env = childEnvironment('git', { LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' });
  return (await run({ file: 'git', argv, cwd: folder, env, timeoutSeconds })).stdout;
}

/** The commit that a name stands for, 40 hex digits; undefined when the repository has none. */
export async function commitOf(folder: string, name: string): Promise<string | undefined> {
  try {
    const argv = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
    return (await git(folder, ...argv)).trim();
  } catch (error) {
    if (!isProcessFailure(error) || error.reason !== 'exit') throw error;
    return undefined;
  }
}
