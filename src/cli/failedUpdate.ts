import { join } from 'node:path';
import { failureLine } from '../core/failureLine.js';
import type { GateError } from '../core/gateError.js';
import { readFailure, reportFailure } from '../gate/flows/failureReport.js';
import { failureFolder } from '../gate/flows/stateFolder.js';
import type { LayerTime } from '../gate/model/observation.js';
import { failureFiles } from '../gate/report/evidenceFiles.js';
import { readHead } from '../host/git.js';
import { projectFolder } from './projectFolder.js';

export interface FailedUpdate {
  readonly stateFolder: string;
  readonly platform: string;
  readonly error: GateError;
  readonly time: LayerTime;
}

/**
 * The page that tells of a failed update. A layer that failed has written it; where none has (Pulumi itself ended, or the program
 * before preflight), it is written here. Undefined when it cannot be written: that must not hide the failure itself.
 */
export async function failedUpdatePage(failed: FailedUpdate): Promise<string | undefined> {
  try {
    await ensureReport(failed);
    return join(failureFolder(failed.stateFolder), failureFiles.page);
  } catch {
    return undefined;
  }
}

async function ensureReport({ stateFolder, platform, error, time }: FailedUpdate): Promise<void> {
  if ((await readFailure(stateFolder)) !== undefined) return;
  const source = (await readHead(projectFolder)) ?? { commit: 'unknown', tree: 'unknown' };
  const failure = { layer: error.layer, code: error.code, line: failureLine(error), time };
  await reportFailure({ stateFolder, platform, source }, failure);
}
