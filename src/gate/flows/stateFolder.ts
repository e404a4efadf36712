import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../host/wholeFile.js';
import type { Observation } from '../model/observation.js';
import type { StepLayer } from '../model/plan.js';

/** The files of one run: an observation a layer, a log, and marks. */
export interface RunFolder {
  readonly path: string;
  writeObservation<L extends StepLayer>(observation: Observation<L>): Promise<void>;
  readObservation<L extends StepLayer>(layer: L): Promise<Observation<L> | undefined>;
  /** A note that survives a kill: what a layer did, written right after it was done. */
  writeMark(name: string, value: unknown): Promise<void>;
  readMark<T>(name: string): Promise<T | undefined>;
  log(line: string): Promise<void>;
}

export function runFolder(stateFolder: string, runId: string): RunFolder {
  const path = join(stateFolder, 'runs', runId);
  return {
    path,
    writeObservation: (observation) => writeJson(join(path, `${observation.layer}.json`), observation),
    readObservation: <L extends StepLayer>(layer: L) => readJson<Observation<L>>(join(path, `${layer}.json`)),
    writeMark: (name, value) => writeJson(join(path, `${name}.mark.json`), value),
    readMark: (name) => readJson(join(path, `${name}.mark.json`)),
    log: async (line) => {
      await mkdir(path, { recursive: true, mode: 0o700 });
      await appendFile(join(path, 'progress.log'), `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
    },
  };
}

export function writeJson(path: string, value: unknown): Promise<void> {
  return writeWhole(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** The parsed file, or undefined when there is none or it is no JSON. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

/** Run ids begin with their time: the oldest comes first. */
export async function runIds(stateFolder: string): Promise<readonly string[]> {
  const names = await readdir(join(stateFolder, 'runs')).catch(() => []);
  return names.sort();
}

export async function newestRunId(stateFolder: string): Promise<string | undefined> {
  return (await runIds(stateFolder)).at(-1);
}

const runsKept = 20;

/** Removes the folders of the oldest runs; the newest twenty stay. */
export async function pruneRuns(stateFolder: string): Promise<void> {
  const folder = join(stateFolder, 'runs');
  const names = await runIds(stateFolder);
  for (const name of names.slice(0, -runsKept)) await rm(join(folder, name), { recursive: true, force: true });
}

export const evidencePath = (stateFolder: string) => join(stateFolder, 'evidence.json');
export const evidenceLinesPath = (stateFolder: string) => join(stateFolder, 'evidence.txt');
