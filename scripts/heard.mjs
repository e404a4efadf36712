// Runs a program whose output is passed on, and ends it with all its children when nothing is heard of it for too long.
import { spawn } from 'node:child_process';
import { exitCodeOf } from './ended.mjs';
import { projectFolder } from './setup.mjs';

/** Resolves with the exit code, or with `silent: true` when it was ended for saying nothing for `silenceSeconds`. */
export function runHeard(file, argv, { env, silenceSeconds }) {
  return new Promise((resolve, reject) => {
    // A group of its own: a runner that hangs leaves workers that hang.
    const child = spawn(file, argv, { cwd: projectFolder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const endGroup = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // It is gone already.
      }
    };
    const onSignal = (signal) => endGroup(signal);
    for (const name of ['SIGINT', 'SIGTERM']) process.on(name, onSignal);
    let silent = false;
    let timer;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        silent = true;
        endGroup('SIGKILL');
      }, silenceSeconds * 1000);
    };
    heard();
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      from.on('data', (chunk) => {
        heard();
        to.write(chunk);
      });
    }
    const settle = (act) => {
      clearTimeout(timer);
      for (const name of ['SIGINT', 'SIGTERM']) process.removeListener(name, onSignal);
      act();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (code, signal) => settle(() => resolve({ code: exitCodeOf(code, signal), silent })));
  });
}
