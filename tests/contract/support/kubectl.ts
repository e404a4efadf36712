import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface KubectlAnswer {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export type Kubectl = (argv: readonly string[], input?: string) => Promise<KubectlAnswer>;

/** kubectl of the lab on one kubeconfig. A refusal is an answer, not an error. */
export function kubectlOn(kubeconfig: string): Kubectl {
  const binaries = process.env['RAYGATE_TEST_BINARIES'];
  if (!binaries) throw new Error('set RAYGATE_TEST_BINARIES to the folder that holds kubectl');
  return async (argv, input) => {
    const running = promisify(execFile)(join(binaries, 'kubectl'), ['--kubeconfig', kubeconfig, ...argv], {
      maxBuffer: 64 * 1024 * 1024,
    });
    // kubectl may end before it has read all of its input: what it printed says why.
    running.child.stdin?.on('error', () => {});
    running.child.stdin?.end(input ?? '');
    return running.then(
      ({ stdout, stderr }) => ({ ok: true, stdout, stderr }),
      ({ stdout, stderr }) => ({ ok: false, stdout: String(stdout), stderr: String(stderr) }),
    );
  };
}
