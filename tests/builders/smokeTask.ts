import type { SmokeTask } from '../../src/gate/model/smokeTask.js';
import { archiveUri } from './step.js';

export const taskId = '0b7e4f0a-3f0c-4c55-9d1a-6a4d7f1f2b11';

/** A task's row as the API gives it: succeeded with 5, on Ray, out of this release's archive. */
export function taskRow(fields: object = {}): object {
  return {
    task_id: taskId,
    state: 'SUCCEEDED',
    queue: 'default',
    result_data: '5',
    error: null,
    worker: 'lease-1',
    ray_address: 'ray://ray-head-svc:10001',
    working_dir: archiveUri,
    attempt: 1,
    ...fields,
  };
}

/** The same as it was judged. */
export function smokeTask(fields: Partial<SmokeTask> = {}): SmokeTask {
  return {
    id: taskId,
    queue: 'default',
    state: 'SUCCEEDED',
    result: 5,
    worker: 'lease-1',
    rayAddress: 'ray://ray-head-svc:10001',
    workingDir: archiveUri,
    attempt: 1,
    ...fields,
  };
}
