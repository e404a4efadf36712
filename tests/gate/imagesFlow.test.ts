import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { imageLabels, runImages } from '../../src/gate/flows/images.js';
import { readSource, type SourceIdentity } from '../../src/host/git.js';
import { run } from '../../src/host/process.js';
import { runPlan, stepContext } from '../builders/step.js';
import { fakeCluster } from '../fakes/cluster.js';

const id = (digit: string) => `sha256:${digit.repeat(64)}`;
let folder: string;
let source: SourceIdentity;
const before = process.env['PATH'];

// Plays docker: images are files in $STORE, a build copies what it was told into one.
const docker = (store: string) => `#!${process.execPath}
const fs = require('node:fs'); const { execFileSync } = require('node:child_process');
const argv = process.argv.slice(2); const store = ${JSON.stringify(store)};
fs.appendFileSync(store + '/diary', argv.slice(2).join(' ') + '\\n');
if (argv[0] !== '--host' || process.env.DOCKER_HOST !== argv[1] || process.env.DOCKER_CONTEXT) process.exit(97);
const file = (reference) => store + '/' + encodeURIComponent(reference);
const all = (flag) => argv.flatMap((word, i) => (argv[i - 1] === flag ? [word] : []));
if (argv[2] === 'build') {
  if (fs.existsSync(store + '/full')) { console.error('write /x: no space left on device'); process.exit(1); }
  if (fs.existsSync(store + '/broken')) { console.error('#5 ERROR: process "/bin/sh -c false" did not complete'); process.exit(1); }
  console.error('#6 [stage 1/2] RUN true');
  const labels = Object.fromEntries(all('--label').map((pair) => pair.split(/=(.*)/s)));
  fs.writeFileSync(file(all('--tag')[0]), JSON.stringify({ Id: '${id('a')}', RepoTags: all('--tag'), Size: 1, Config: { Labels: labels } }));
} else if (argv[3] === 'inspect') {
  if (!fs.existsSync(file(argv[4]))) { console.error('Error response from daemon: No such image: ' + argv[4]); process.exit(1); }
  console.log('[' + fs.readFileSync(file(argv[4]), 'utf8') + ']');
} else if (argv[3] === 'save') {
  const out = fs.mkdtempSync(store + '/save-');
  const config = JSON.stringify({ config: JSON.parse(fs.readFileSync(fs.existsSync(store + '/forged') ? store + '/forged' : file(argv[4]), 'utf8')).Config });
  const name = require('node:crypto').createHash('sha256').update(config).digest('hex') + '.json';
  fs.writeFileSync(out + '/' + name, config);
  fs.writeFileSync(out + '/manifest.json', JSON.stringify([{ Config: name }]));
  process.stdout.write(execFileSync('tar', ['-cf', '-', '-C', out, 'manifest.json', name]));
  if (fs.existsSync(store + '/moving')) fs.writeFileSync(file(argv[4]), JSON.stringify({ Id: '${id('d')}', RepoTags: [argv[4]] }));
}
`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-images-'));
  const [bin, repository] = [join(folder, 'bin'), join(folder, 'repository')];
  await mkdir(bin);
  await mkdir(join(repository, 'app'), { recursive: true });
  await writeFile(join(bin, 'docker'), docker(folder));
  await chmod(join(bin, 'docker'), 0o755);
  process.env['PATH'] = `${bin}:${before}`;
  process.env['DOCKER_CONTEXT'] = 'hostile';
  for (const name of ['Dockerfile', 'Dockerfile.ray']) await writeFile(join(repository, 'app', name), 'FROM scratch\n');
  const git = (...argv: string[]) =>
    run({
      file: 'git',
      argv: ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...argv],
      cwd: repository,
      timeoutSeconds: 20,
    });
  await git('init', '-q');
  await git('add', '.');
  await git('commit', '-q', '-m', 'x');
  const reading = await readSource(repository);
  if (!reading.ok) throw new Error(reading.problem.detail);
  source = reading.source;
});
afterEach(async () => {
  process.env['PATH'] = before;
  delete process.env['DOCKER_CONTEXT'];
  await rm(folder, { recursive: true, force: true });
});

const context = (fields: object = {}) =>
  stepContext({
    layer: 'images',
    stateFolder: join(folder, 'state'),
    cluster: fakeCluster(),
    plan: { source, ...fields },
  });
const diary = async () => (await readFile(join(folder, 'diary'), 'utf8')).trim().split('\n');
const builds = async () => (await diary()).filter((line) => line.startsWith('build'));

describe('the images of a commit', () => {
  test('are built under the tag with their labels, and resolved to their configuration', async () => {
    const running = context();
    const facts = await runImages(running);
    expect(facts.app).toMatchObject({
      id: id('a'),
      config: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      built: true,
      labels: { [imageLabels.revision]: source.commit, [imageLabels.tree]: source.tree },
      configLabels: { [imageLabels.revision]: source.commit, [imageLabels.tree]: source.tree },
    });
    expect(facts.legacy.built).toBe(true);
    expect(await builds()).toHaveLength(2);
    expect(running.lines.some((line) => line.endsWith('[stage 1/2] RUN true'))).toBe(true);
  });

  test('are found again when nothing has changed, and not built', async () => {
    const { app } = await runImages(context());
    await writeFile(join(folder, 'diary'), '');
    expect(await runImages(context())).toMatchObject({
      app: { built: false, config: app.config, configLabels: app.configLabels },
      legacy: { built: false },
    });
    expect(await builds()).toEqual([]);
    expect((await diary()).filter((line) => line.startsWith('image save'))).toEqual([]);
  });

  test('are built again when the tag is on an image of another tree', async () => {
    await runImages(context());
    const plan = runPlan('/nowhere');
    const image = {
      Id: id('b'),
      RepoTags: [plan.release.app.reference],
      Config: { Labels: { [imageLabels.tree]: 'other' } },
    };
    await writeFile(join(folder, encodeURIComponent(plan.release.app.reference)), JSON.stringify(image));
    expect(await runImages(context())).toMatchObject({ app: { built: true, id: id('a') }, legacy: { built: false } });
  });

  test('are refused when the labels stand on the tag only, and not in the configuration', async () => {
    await writeFile(join(folder, 'forged'), JSON.stringify({ Config: { Labels: { [imageLabels.tree]: 'other' } } }));
    await expect(runImages(context())).rejects.toMatchObject({ code: 'images.labels' });
  });

  test('are refused when the tag moves while the image is read', async () => {
    await writeFile(join(folder, 'moving'), '');
    await expect(runImages(context())).rejects.toMatchObject({
      code: 'images.inspect',
      message: expect.stringContaining(`moved from ${id('a')} to ${id('d')} while it was read`),
    });
  });

  test('are not built of a tree that HEAD has left', async () => {
    await expect(runImages(context({ source: { ...source, tree: '9'.repeat(40) } }))).rejects.toMatchObject({
      code: 'images.source-changed',
    });
  });

  test('that do not build fail with what the build said last', async () => {
    await writeFile(join(folder, 'broken'), '');
    await expect(runImages(context())).rejects.toMatchObject({
      layer: 'images',
      code: 'images.build-failed',
      message: expect.stringContaining('did not complete'),
    });
  });

  test('fail with one clear line when the disk is full', async () => {
    await writeFile(join(folder, 'full'), '');
    await expect(runImages(context())).rejects.toMatchObject({
      code: 'images.disk-full',
      message: expect.stringMatching(/^No space is left/),
    });
  });
});
