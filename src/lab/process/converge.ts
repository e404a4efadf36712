import type { Progress } from '../../core/progress.js';
import type { Component } from '../components/component.js';
import { exitedAtOnce, fingerprint, readRecord, startDaemon, stopDaemon } from './daemon.js';
import { isAlive } from './processTable.js';
import { untilHealthy } from './untilHealthy.js';

interface Folders {
  readonly processFolder: string;
  readonly logFolder: string;
}

/**
 * Brings every component to run as described and be healthy: a living, unchanged, healthy one is left alone, anything else is
 * (re)started, each as soon as what it stands on is healthy. Returns the names it started.
 * @throws GateError `lab.component-exited` at once when one ends, `lab.component-unhealthy` at its deadline.
 */
export async function convergeComponents(
  components: readonly Component[],
  folders: Folders,
  progress: Progress,
): Promise<readonly string[]> {
  const started: string[] = [];
  const healthy = new Map<string, Promise<void>>();
  for (const component of components) {
    const before = component.after.map((name) => {
      const promise = healthy.get(name);
      if (!promise) throw new Error(`${component.name} stands on ${name}, which is not listed before it`);
      return promise;
    });
    healthy.set(
      component.name,
      Promise.all(before).then(async () => {
        if (await converge(component, folders, progress)) started.push(component.name);
      }),
    );
  }
  // Every failure is waited out, so that nothing still starts behind a reported error.
  const results = await Promise.allSettled(healthy.values());
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
  return started;
}

async function converge(component: Component, folders: Folders, progress: Progress): Promise<boolean> {
  const activity = `lab/${component.name}`;
  const record = await readRecord(folders.processFolder, component.name);
  if (record && isAlive(record)) {
    if (record.fingerprint === fingerprint(component.daemon) && (await component.probe()).healthy) return false;
    progress(activity, 'restarting: changed or not healthy');
    await stopDaemon(record, 10);
  }
  const running = await startDaemon(component.daemon, folders);
  await untilHealthy({
    name: component.name,
    see: `raygate lab logs ${component.name}`,
    limitSeconds: component.startLimitSeconds,
    probe: () => component.probe(),
    onProgress: (why) => progress(activity, why),
    assertGoing: async () => {
      if (!isAlive(running)) throw await exitedAtOnce(component.name, folders.logFolder);
    },
  });
  return true;
}
