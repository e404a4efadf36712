import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseDocument } from 'yaml';
import { program, projectFolder } from './command.js';

export interface Checkout {
  readonly folder: string;
  git(...argv: readonly string[]): Promise<string>;
  /** Changes one setting of the lab stack, as `pulumi config set` would. */
  set(key: string, value: string | undefined): Promise<void>;
  remove(): Promise<void>;
}

/**
 * A throw-away clone of the working tree as it stands, committed and clean: the gate refuses anything else. It shares the
 * packages and the compiled program of this checkout, which are outside git.
 */
export async function makeCheckout(): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'raygate-checkout-'));
  const git = (...argv: readonly string[]) => mustRun('git', argv, folder);
  await mustRun('git', ['clone', '--quiet', '--local', projectFolder, folder], tmpdir());
  for (const name of (await mustRun('git', ['ls-files', '-com', '--exclude-standard', '-z'], projectFolder)).split(
    '\0',
  )) {
    if (name === '') continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await copyFile(join(projectFolder, name), join(folder, name)).catch(() => rm(join(folder, name), { force: true }));
  }
  await writeFile(join(folder, '.git', 'info', 'exclude'), 'node_modules\n');
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  await cp(join(projectFolder, 'dist'), join(folder, 'dist'), { recursive: true });
  if ((await git('status', '--porcelain')) !== '') {
    await git('add', '--all');
    await git(
      '-c',
      'user.name=test',
      '-c',
      'user.email=test@localhost',
      'commit',
      '--quiet',
      '-m',
      'The working tree under test',
    );
  }
  return {
    folder,
    git,
    async set(key, value) {
      const path = join(folder, 'Pulumi.lab.yaml');
      // Before the first start there is only the template.
      const text = await readFile(path, 'utf8').catch(() => readFile(join(folder, 'stacks', 'lab.yaml'), 'utf8'));
      const document = parseDocument(text);
      if (value === undefined) document.deleteIn(['config', `raygate:${key}`]);
      else document.setIn(['config', `raygate:${key}`], value);
      await writeFile(path, document.toString({ lineWidth: 0 }));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function mustRun(file: string, argv: readonly string[], folder: string): Promise<string> {
  const ended = await program(file, argv, { folder });
  if (ended.code !== 0) throw new Error(`${file} ${argv.join(' ')} ended with ${ended.code}: ${ended.stderr}`);
  return ended.stdout;
}
