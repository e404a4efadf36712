import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SetupError } from './setupError.mjs';

const pauseMilliseconds = 100;

/** A lock that says no holder is one that is being written, until it is this old. */
const unwrittenMilliseconds = 5_000;

/**
 * Runs `work` as the only set-up of a checkout. The lock file says the pid of its holder and when that started; the lock of a process
 * that lives no more is taken over, another's is waited for, and `say` hears whose.
 * @throws SetupError when the lock can neither be made nor taken over.
 */
export async function withSetupLock(lock, say, work) {
  attempt(lock, () => mkdirSync(dirname(lock), { recursive: true }));
  let told;
  while (!attempt(lock, () => make(lock))) {
    const text = readIfThere(lock);
    if (text === undefined) continue; // Its holder has just ended.
    const pid = holderOf(text, lock);
    if (pid === undefined) attempt(lock, () => takeAway(lock));
    else {
      if (pid !== told) say(`waiting for the set-up of ${pid === 0 ? 'another process' : `pid ${pid}`} (${lock})`);
      told = pid;
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    }
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function make(lock) {
  try {
    writeFileSync(lock, `${process.pid} ${startOf(process.pid)}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The living process that holds the lock; 0 where it is not written yet, undefined when nobody holds it any more. */
function holderOf(text, lock) {
  const [pid, start] = text.split(' ');
  if (!/^[1-9]\d*$/.test(pid)) {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    return text === '' && age < unwrittenMilliseconds ? 0 : undefined;
  }
  // A pid is given anew: only with the same start is it the same process.
  return start !== undefined && startOf(Number(pid)) === start ? Number(pid) : undefined;
}

/** When a process started, in clock ticks since boot; `-` where there is no /proc but it lives, undefined when it does not. */
function startOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 1)
      .trim()
      .split(' ')[19];
  } catch {
    if (process.platform === 'linux') return undefined;
  }
  try {
    process.kill(pid, 0);
    return '-';
  } catch (error) {
    return error.code === 'EPERM' ? '-' : undefined;
  }
}

function takeAway(lock) {
  const stale = `${lock}.${process.pid}`;
  try {
    renameSync(lock, stale);
  } catch (error) {
    if (error.code === 'ENOENT') return; // Another one took it over first.
    throw error;
  }
  rmSync(stale, { recursive: true, force: true });
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw new SetupError(`the set-up lock ${path} cannot be read (${error.code}): remove it`);
  }
}

function attempt(lock, act) {
  try {
    return act();
  } catch (error) {
    throw new SetupError(
      `${dirname(lock)} cannot be written (${error.code} at ${error.path ?? lock}): give this user the checkout, with room on its disk`,
    );
  }
}
