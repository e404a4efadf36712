import { constants } from 'node:fs';
import { chown, copyFile, cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostRefusal } from '../../scripts/hostable.mjs';
import { assertHostable } from '../../src/lab/machine/requirements.js';
import { program } from '../lab/command.js';

const checkout = join(import.meta.dirname, '..', '..');
const onRoot = 'the lab needs root, this is uid 1000; use your own cluster: npm start -- --context NAME';

const rows: readonly [string, readonly string[], string, number | undefined, string | undefined][] = [
  ['root on Linux is taken', ['start'], 'linux', 0, undefined],
  ['another user on Linux is refused', ['start'], 'linux', 1000, onRoot],
  ['another option changes nothing', ['start', '--kubeconfig', '/k'], 'linux', 1000, onRoot],
  [
    'root on a Mac is refused for the Mac',
    ['start'],
    'darwin',
    0,
    'the lab needs Linux, this is darwin; use your own cluster: npm start -- --context NAME',
  ],
  [
    'Windows, which has no user ids, is refused for Windows',
    ['start'],
    'win32',
    undefined,
    'the lab needs Linux, this is win32; use your own cluster: npm start -- --context NAME',
  ],
  ['a cluster of their own is for everybody', ['start', '--context', 'docker-desktop'], 'darwin', 501, undefined],
  ['its other spelling too', ['start', '--context=kind-a'], 'win32', undefined, undefined],
  ['help is for everybody', ['start', '--help'], 'linux', 1000, undefined],
  ['so is a command that needs no lab', ['synth'], 'linux', 1000, undefined],
];

describe('who may start the lab', () => {
  it.each(rows)('%s', (_name, argv, platform, uid, refusal) => {
    expect(hostRefusal(argv, platform, uid)).toBe(refusal);
  });

  it.each([
    ['darwin', 0, 'the lab needs Linux, this is darwin; use your own cluster with --context NAME instead'],
    ['linux', 1000, 'the lab needs root, this is uid 1000; use your own cluster with --context NAME instead'],
    ['win32', undefined, 'the lab needs Linux, this is win32; use your own cluster with --context NAME instead'],
  ] as const)('`raygate lab` on %s as uid %s is refused in the same way', (platform, uid, message) => {
    expect(() => assertHostable(platform, uid)).toThrow(message);
  });
});

/** What the command needs before its set-up; all it could install or change is in the folder, or in its home there. */
describe('npm start as another user than root', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'raygate-nobody-'));
    for (const part of ['bin', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'])
      await cp(join(checkout, part), join(folder, part), { recursive: true });
    // A Node that this user can read, wherever the one that runs the tests lies.
    await copyFile(process.execPath, join(folder, 'node'), constants.COPYFILE_FICLONE);
    if (isRoot) await chown(folder, nobody, nobody);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const nobody = 65_534;
  const isRoot = process.getuid?.() === 0;
  const everything = async () => (await readdir(folder, { recursive: true })).sort();

  it('is refused in one line with exit code 2, before anything is installed or changed', async () => {
    const before = await everything();
    const node = join(folder, 'node');
    const argv = [join(folder, 'bin', 'raygate.mjs'), 'start'];
    const asNobody = ['--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups', '--', node, ...argv];
    const ended = await program(isRoot ? 'setpriv' : node, isRoot ? asNobody : argv, { folder, env: { HOME: folder } });
    const uid = isRoot ? nobody : process.getuid?.();
    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr: `FAILED [setup]: the lab needs root, this is uid ${uid}; use your own cluster: npm start -- --context NAME\n`,
    });
    expect(await everything()).toEqual(before);
  });
});
