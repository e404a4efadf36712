import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aKubeconfig, makePki } from '../builders/kubeconfig.js';
import { type Checkout, makeCheckout } from '../lab/checkout.js';
import { raygate } from '../lab/command.js';

const pki = await makePki();
const stackFile = 'Pulumi.kind-a.yaml';

/** `npm start` on a user's own cluster that is refused: it says what named the kubeconfig, and leaves nothing behind. */
describe('a refused start', () => {
  let checkout: Checkout;
  let folder: string;
  beforeAll(async () => {
    checkout = await makeCheckout();
    folder = await mkdtemp(join(tmpdir(), 'raygate-refused-'));
    const kubeconfig = (server: string, context: string) => JSON.stringify(aKubeconfig(pki, { server, context }));
    await writeFile(join(folder, 'other-context'), kubeconfig('https://127.0.0.1:1', 'kind-b'));
    await writeFile(join(folder, 'public-server'), kubeconfig('https://203.0.113.7:6443', 'kind-a'));
    await writeFile(join(folder, 'nobody-answers'), kubeconfig('https://127.0.0.1:1', 'kind-a'));
  });
  afterAll(async () => {
    await checkout?.remove();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => rm(join(checkout.folder, stackFile), { force: true }));

  async function start(...argv: readonly string[]) {
    const state = join(folder, 'state');
    const env = {
      HOME: folder,
      INIT_CWD: folder,
      RAYGATE_CACHE: join(folder, 'cache'),
      RAYGATE_STATE: state,
      RAYGATE_RUN: join(folder, 'run'),
      NO_COLOR: '1',
    };
    const { code, stdout, stderr } = await raygate(['start', ...argv], { folder: checkout.folder, env });
    const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('setup: '));
    return { code, stdout, lines, state: await readdir(state).catch(() => 'none') };
  }
  const settings = () => readFile(join(checkout.folder, stackFile), 'utf8').catch(() => 'no stack file');

  const byFlag = (path: string) =>
    `; the kubeconfig ${join(folder, path)} is named by --kubeconfig, and no setting was stored`;
  const itByFlag = '; it is named by --kubeconfig, and no setting was stored';
  const rows: readonly [string, string, number, () => string][] = [
    [
      'for a file that is not there',
      'wrong',
      2,
      () =>
        `FAILED [usage]: kubeconfig ${join(folder, 'wrong')} cannot be read: give the path of one that exists${itByFlag} (kubeconfig.unreadable)`,
    ],
    [
      'for a file without the context',
      'other-context',
      2,
      () =>
        `FAILED [usage]: context "kind-a" is not in ${join(folder, 'other-context')} (it has "kind-b", "production", "kind-remote"): choose one with --context or raygate:context${itByFlag} (kubeconfig.context-unknown)`,
    ],
    [
      'for a server on another machine',
      'public-server',
      2,
      () => `${byFlag('public-server')} (kubeconfig.server-not-local)`,
    ],
    ['where nobody answers', 'nobody-answers', 1, () => `${byFlag('nobody-answers')} (credentials.unreadable)`],
  ];

  it.each(rows)('%s names --kubeconfig, and writes no stack file', async (_name, path, code, says) => {
    const ended = await start('--context', 'kind-a', '--kubeconfig', path);
    expect({ ...ended, lines: ended.lines.map((line) => line.slice(-says().length)) }).toEqual({
      code,
      stdout: '',
      lines: [says()],
      state: 'none',
    });
    expect(await settings()).toBe('no stack file');
  });

  it('names the file whose setting it was, and what to give instead', async () => {
    const ended = await start('--context', 'kind-a');
    expect(ended.code).toBe(2);
    expect(ended.lines.join('\n')).toContain(
      'is named by raygate:kubeconfig in stacks/kind.yaml (give another one with --kubeconfig PATH), and no setting was stored',
    );
    expect(await settings()).toBe('no stack file');
  });

  it("leaves the user's own stack file as it was", async () => {
    const own = 'config:\n  raygate:kubeconfig: /mine\n  raygate:rayRestart: skip # mine\n';
    await writeFile(join(checkout.folder, stackFile), own);
    expect(await start('--context', 'kind-a', '--kubeconfig', 'wrong')).toMatchObject({ code: 2 });
    expect(await settings()).toBe(own);
  });

  const wrong: readonly [string, string, string][] = [
    ['a wrong value', 'config:\n  raygate:rayRestart: maybe\n', 'raygate:rayRestart must be required or skip'],
    ['no YAML', 'config: [\n', `FAILED [settings]: ${stackFile} cannot be read as settings: `],
    ['a list', '- config\n', `FAILED [settings]: ${stackFile} cannot be read as settings: it is no mapping; `],
  ];
  it.each(wrong)('for a stack file with %s ends with exit code 2', async (_name, text, says) => {
    await writeFile(join(checkout.folder, stackFile), text);
    const ended = await start('--context', 'kind-a');
    expect([ended.code, ended.lines.join('\n').includes(says) ? says : ended.lines]).toEqual([2, says]);
    expect(await settings()).toBe(text);
  });

  it('says that --kubeconfig needs a context', async () => {
    expect(await start('--kubeconfig', 'other-context')).toEqual({
      code: 2,
      stdout: '',
      lines: [
        'FAILED [usage]: --kubeconfig is of a cluster of your own: give its context too, with --context NAME (usage.kubeconfig-without-context)',
      ],
      state: 'none',
    });
  });
});
