import { type ChildProcess, spawn } from 'node:child_process';
import { access, chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isProcessFailure, run } from '../../../src/host/process.js';

const checkout = join(import.meta.dirname, '..', '..', '..');

export interface CommandResult {
  readonly exitCode: number;
  readonly output: string;
}

/** A throw-away project with a home and a file backend of its own, driven by the real CLI and the real plugin host. */
export interface PulumiProject {
  readonly folder: string;
  write(path: string, content: string): Promise<void>;
  read(path: string): Promise<string>;
  pulumi(...argv: readonly string[]): Promise<CommandResult>;
  /** Starts it and does not wait: to be killed. */
  start(...argv: readonly string[]): ChildProcess;
  /** The stack's state as text. */
  state(): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Where the CLI and the language host are: the folder in `RAYGATE_PULUMI_BIN` (which must then hold both), or the first on PATH that
 * does; undefined when there is none.
 */
export async function pulumiFolder(): Promise<string | undefined> {
  const holds = async (folder: string) => {
    const there = await Promise.all(['pulumi', 'pulumi-language-nodejs'].map((name) => exists(join(folder, name))));
    return there.every(Boolean);
  };
  const given = process.env['RAYGATE_PULUMI_BIN'];
  if (given !== undefined) {
    if (await holds(given)) return given;
    throw new Error(`RAYGATE_PULUMI_BIN is ${given}, which lacks pulumi or pulumi-language-nodejs`);
  }
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) if (await holds(folder)) return folder;
  return undefined;
}

/** `firstOnPath`: a folder of programs that stand in for the machine's own. */
export async function createPulumiProject(programs: string, firstOnPath?: string): Promise<PulumiProject> {
  const folder = await mkdtemp(join(tmpdir(), 'raygate-pulumi-'));
  const [project, home, backend] = [join(folder, 'project'), join(folder, 'home'), join(folder, 'backend')];
  for (const path of [project, home, backend]) await mkdir(path, { mode: 0o700 });
  const passphrase = join(folder, 'passphrase');
  await writeFile(passphrase, 'correct horse battery staple', { mode: 0o600 });
  await symlink(join(checkout, 'node_modules'), join(project, 'node_modules'));
  const sdk = join(checkout, 'node_modules', '@pulumi', 'pulumi');
  const env = {
    HOME: home,
    PATH: [
      ...(firstOnPath === undefined ? [] : [firstOnPath]),
      programs,
      sdk,
      dirname(process.execPath),
      '/usr/bin',
      '/bin',
    ].join(delimiter),
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE_FILE: passphrase,
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
    NO_COLOR: '1',
  };
  const pulumi = async (...argv: readonly string[]): Promise<CommandResult> => {
    try {
      const { stdout, stderr } = await run({
        file: join(programs, 'pulumi'),
        argv: [...argv, '--non-interactive', '--color=never'],
        cwd: project,
        env,
        timeoutSeconds: 100,
      });
      return { exitCode: 0, output: `${stdout}\n${stderr}` };
    } catch (error) {
      if (!isProcessFailure(error) || error.exitCode === undefined) throw error;
      return { exitCode: error.exitCode, output: error.output };
    }
  };
  return {
    folder: project,
    write: async (path, content) => {
      await mkdir(dirname(join(project, path)), { recursive: true });
      await writeFile(join(project, path), content);
    },
    read: (path) => readFile(join(project, path), 'utf8'),
    pulumi,
    start: (...argv) =>
      spawn(join(programs, 'pulumi'), [...argv, '--non-interactive', '--color=never'], {
        cwd: project,
        env,
        stdio: 'ignore',
      }),
    state: async () => (await pulumi('stack', 'export')).output,
    remove: async () => {
      await chmod(home, 0o700);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
