import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command } from 'commander';
import { GateError } from '../core/gateError.js';
import type { Progress } from '../core/progress.js';
import { componentNames } from '../lab/components/component.js';
import { takeDown, wipeCluster } from '../lab/down.js';
import { withLabLock } from '../lab/lock.js';
import { assertHostable } from '../lab/machine/requirements.js';
import { type LabPaths, labPaths } from '../lab/paths.js';
import { labStatus } from '../lab/status.js';
import { bringUp, type UpReport } from '../lab/up.js';
import { progressDisplay } from './progress.js';
import { projectFolder } from './projectFolder.js';

export function addLabCommands(program: Command): void {
  const lab = program
    .command('lab')
    .description('The embedded one-node Kubernetes with Docker and KubeRay (Linux, root).');
  lab
    .command('up')
    .description('Bring the lab up, or back to health; does nothing when it is up.')
    .option('--with-kueue', 'Kueue 0.17 beside KubeRay', false)
    .action(async (options: { withKueue: boolean }) => {
      const report = await labUp(labPaths(), options.withKueue);
      process.stdout.write(`${upLine(report)}\n`);
    });
  lab
    .command('down')
    .description('End what the lab started and remove its mounts, bridges and packet rules; the cluster state stays.')
    .action(() => exclusively('raygate lab down', takeDown));
  lab
    .command('reset')
    .description('Take the lab down and wipe its cluster state; built binaries and images stay.')
    .action(() =>
      exclusively('raygate lab reset', async (paths, progress) => {
        await takeDown(paths, progress);
        await wipeCluster(paths);
      }),
    );
  lab
    .command('status')
    .description("Each part's health, and why; exit code 1 when one is not healthy.")
    .action(showStatus);
  lab
    .command('logs')
    .description("A component's log.")
    .addArgument(new Argument('<component>', 'whose').choices([...componentNames, 'audit']))
    .action(showLog);
  lab
    .command('kubeconfig')
    .description("The path of the lab's private kubeconfig.")
    .action(() => {
      process.stdout.write(`${labPaths().kubeconfig}\n`);
    });
}

/** `patient`: another command that changes the lab is waited for, not refused. */
export async function labUp(paths: LabPaths, withKueue: boolean, patient = false): Promise<UpReport> {
  let report: UpReport | undefined;
  await exclusively(
    'raygate lab up',
    async (_, progress) => {
      report = await bringUp({ paths, projectFolder, progress, withKueue });
    },
    patient,
  );
  if (!report) throw new Error('the lab came up without a report');
  return report;
}

function upLine(report: UpReport): string {
  const seconds = report.seconds.toFixed(1);
  const started = report.started.length === 0 ? 'nothing to start' : `started ${report.started.join(', ')}`;
  const applied = report.appliedOperators.length === 0 ? '' : `; applied ${report.appliedOperators.join(', ')}`;
  return `lab up in ${seconds} s: ${started}${applied}`;
}

async function exclusively(
  command: string,
  work: (paths: LabPaths, progress: Progress) => Promise<void>,
  patient = false,
): Promise<void> {
  const paths = labPaths();
  assertHostable(process.platform, process.getuid?.());
  const display = progressDisplay({ stream: process.stderr });
  try {
    const onWait = (holder: string) => display.report('lab', `waiting for ${holder} to end`);
    await withLabLock(
      paths.runFolder,
      command,
      () => {
        display.report('lab', '');
        return work(paths, display.report);
      },
      patient ? { onWait } : {},
    );
  } finally {
    display.end();
  }
}

async function showStatus(): Promise<void> {
  const parts = await labStatus(labPaths());
  const width = Math.max(...parts.map((part) => part.name.length));
  for (const part of parts) {
    process.stdout.write(`${part.healthy ? 'ok  ' : 'DOWN'}  ${part.name.padEnd(width)}  ${part.why}\n`);
  }
  const down = parts.filter((part) => !part.healthy);
  if (down.length > 0) {
    throw new GateError({
      layer: 'lab',
      code: 'lab.not-healthy',
      message: `${down.length} of ${parts.length} parts are not healthy: ${down.map((part) => part.name).join(', ')}; 'raygate lab up' heals`,
    });
  }
}

async function showLog(component: string): Promise<void> {
  const path = join(labPaths().logFolder, `${component}.log`);
  await access(path).catch(() => {
    throw new GateError({
      layer: 'lab',
      code: 'lab.no-log',
      message: `${component} has no log: it has not run since the last reset`,
    });
  });
  await pipeline(createReadStream(path), process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error; // The reader (head, a pager) has seen enough.
  });
}
