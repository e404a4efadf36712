import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { images, standardImages } from '../../../src/lab/images/catalog.js';
import { storedKeys } from '../../../src/lab/images/dockerStore.js';
import { ensureImages } from '../../../src/lab/images/ensure.js';
import { labPaths } from '../../../src/lab/paths.js';
import { failure, program, raygate } from '../command.js';

const paths = labPaths();
const address = { dockerHost: `unix://${paths.dockerSocket}`, dockerConfig: paths.dockerConfigFolder };
const started: string[] = [];

function docker(...argv: string[]) {
  return program('docker', argv, { env: { DOCKER_HOST: address.dockerHost, DOCKER_CONFIG: address.dockerConfig } });
}

/** Runs to the end, and gives both streams together. */
async function once(...argv: string[]) {
  const ended = await docker('run', '--rm', ...argv);
  return { code: ended.code, text: `${ended.stdout}${ended.stderr}`.trim() };
}

async function start(...argv: string[]): Promise<string> {
  const name = `raygate-test-${randomBytes(4).toString('hex')}`;
  started.push(name);
  const ended = await docker('run', '--detach', '--name', name, ...argv);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  return name;
}

async function inside(name: string, ...argv: string[]): Promise<string> {
  const ended = await docker('exec', name, ...argv);
  return ended.code === 0 ? ended.stdout.trim() : `exit code ${ended.code}`;
}

/** Asks every quarter of a second until the answer is as expected; gives the last answer at the deadline. */
async function until(expected: RegExp, limitSeconds: number, ask: () => Promise<string>): Promise<string> {
  const end = performance.now() + limitSeconds * 1000;
  for (;;) {
    const answer = await ask();
    if (expected.test(answer) || performance.now() > end) return answer;
    await delay(250);
  }
}

const exitCode = async (name: string) =>
  (await docker('inspect', name, '--format', '{{.State.ExitCode}}')).stdout.trim();

beforeAll(async () => {
  const ended = await raygate(['lab', 'up']);
  expect([ended.code, ended.code === 0 ? '' : failure(ended)]).toEqual([0, '']);
});
afterEach(async () => {
  if (started.length > 0) await docker('rm', '--force', '--volumes', ...started.splice(0));
});

describe('the store of images', () => {
  const options = {
    ...address,
    cacheFolder: paths.imageFolder,
    onProgress: () => {},
    binaries: (name: string) => {
      throw new Error(`${name} is not asked for here`);
    },
  };

  it('holds every image of the lab under the reference of the manifests', async () => {
    const stored = await storedKeys(address);
    expect(standardImages.filter((name) => !stored.has(images[name].reference))).toEqual([]);
  });

  it('is left alone when it holds what it should', async () => {
    expect(await ensureImages(options, ['grafana'])).toEqual({ loaded: [], built: [] });
  });

  it('gets a lost image back from the cache, the very same, without a build', async () => {
    const { reference } = images.grafana;
    const id = async () => (await docker('image', 'inspect', reference, '--format', '{{.Id}}')).stdout.trim();
    const before = await id();
    await docker('image', 'rm', '--force', reference);
    expect(await ensureImages(options, ['grafana'])).toEqual({ loaded: [reference], built: [] });
    expect(await id()).toBe(before);
  });
});

describe('pause', () => {
  it('ends at once with 0 when it is told to', async () => {
    const name = await start(images.pause.reference);
    await docker('stop', '--time', '5', name);
    expect(await exitCode(name)).toBe('0');
  });
});

describe('busybox', () => {
  it('says by an exit code whether a TCP port answers, as nobody and on a read-only root', async () => {
    const script =
      'nc -w 2 127.0.0.1 1 -e /bin/true; echo $?; nc -ll -p 2000 -e /bin/true & sleep 1; nc -w 2 127.0.0.1 2000 -e /bin/true; echo $?';
    const { text } = await once('--user', '65534', '--read-only', images.busybox.reference, 'sh', '-c', script);
    expect(text.split('\n').filter((line) => /^\d+$/.test(line))).toEqual(['1', '0']);
  });
});

describe('python', () => {
  it('lets a Dockerfile install a package by pip, into a virtual environment and without one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'raygate-python-'));
    const tag = `raygate-test/python:${randomBytes(4).toString('hex')}`;
    try {
      await writeFile(
        join(folder, 'Dockerfile'),
        [
          `FROM ${images.python.reference} AS made`,
          'RUN python3 -m venv /venv && /venv/bin/pip install --no-cache-dir six==1.17.0 && pip install six==1.17.0',
          `FROM ${images.python.reference}`,
          'COPY --from=made /venv /venv',
          'RUN useradd --uid 1000 someone',
          'USER 1000',
        ].join('\n'),
      );
      const built = await docker('build', '--no-cache', '--tag', tag, folder);
      expect([built.code, built.code === 0 ? '' : built.stderr]).toEqual([0, '']);
      const { text } = await once(
        tag,
        '/venv/bin/python',
        '-c',
        'import six, sys; print(six.__version__, sys.version_info[:2])',
      );
      expect(text).toBe('1.17.0 (3, 13)');
    } finally {
      await docker('image', 'rm', '--force', tag);
      await rm(folder, { recursive: true });
    }
  });
});

describe('postgres', () => {
  const data = '/var/lib/postgresql/data';
  const environment = [
    'POSTGRES_USER=django_ray',
    'POSTGRES_PASSWORD=secret',
    'POSTGRES_DB=things',
    `PGDATA=${data}/pgdata`,
  ];
  const flags = environment.flatMap((each) => ['--env', each]);
  const ready = (name: string) =>
    until(/accepting connections/, 60, () => inside(name, 'pg_isready', '-U', 'django_ray', '-h', '127.0.0.1'));
  const query = (name: string, sql: string) => inside(name, 'psql', '-U', 'django_ray', '-d', 'things', '-tAc', sql);

  it.each([
    ['root, which steps down to 999', [], '999'],
    ['999', ['--user', '999:999'], '999'],
    ['a user id that nobody knows', ['--user', '12345:0'], '12345'],
  ])('makes its database and keeps it over a restart and a kill, started as %s', async (_name, user, uid) => {
    const name = await start(...user, ...flags, images.postgres.reference);
    expect(await ready(name)).toMatch(/accepting/);
    expect(await query(name, "create table kept as select 41 as i; select version() ~ '^PostgreSQL 17[.]'")).toMatch(
      /t$/,
    );
    expect((await inside(name, 'cat', '/proc/1/status')).match(/^Uid:\s+(\d+)/m)?.[1]).toBe(uid);
    await docker('stop', name);
    expect(await exitCode(name)).toBe('0');
    for (const end of ['stop', 'kill']) {
      await docker('start', name);
      expect(await ready(name)).toMatch(/accepting/);
      expect(await query(name, 'select i from kept')).toBe('41');
      await docker(end, name);
    }
  });

  it('asks for the password over the network', async () => {
    const name = await start(...flags, images.postgres.reference);
    await ready(name);
    const hosts = (await inside(name, 'hostname', '-I')).split(' ')[0] ?? '';
    const connect = (password: string) =>
      inside(
        name,
        'env',
        `PGPASSWORD=${password}`,
        'psql',
        '-h',
        hosts,
        '-U',
        'django_ray',
        '-d',
        'things',
        '-tAc',
        'select 1',
      );
    expect([await connect('secret'), await connect('wrong')]).toEqual(['1', 'exit code 2']);
  });

  it('starts over when it was killed before its database was whole', async () => {
    const name = await start(...flags, images.postgres.reference);
    await until(/yes/, 20, () => inside(name, 'sh', '-c', `test -d ${data}/pgdata/.initialising && echo yes`));
    await docker('kill', name);
    await docker('start', name);
    expect(await ready(name)).toMatch(/accepting/);
    expect(await inside(name, 'sh', '-c', `ls -d ${data}/pgdata/.initialising || echo gone`)).toBe('gone');
  });

  it.each([
    ['no password', [], 'POSTGRES_PASSWORD is empty'],
    [
      'a folder that is not its own',
      ['--user', '12345', '--env', 'POSTGRES_PASSWORD=x', '--env', 'PGDATA=/usr'],
      'does not belong to user 12345',
    ],
  ])('refuses %s in one line', async (_name, argv, line) => {
    const { code, text } = await once(...argv, images.postgres.reference);
    expect([code, text.includes(line), text.split('\n').length]).toEqual([1, true, 1]);
  });
});

describe('prometheus', () => {
  it('is 2.53.3, takes the flags of the manifests and is ready as nobody on a read-only root', async () => {
    const name = await start(
      ...['--read-only', '--tmpfs', '/prometheus:uid=65534', images.prometheus.reference],
      ...['--config.file=/etc/prometheus/prometheus.yml', '--storage.tsdb.path=/prometheus'],
      ...['--storage.tsdb.retention.time=7d', '--web.enable-lifecycle'],
    );
    const get = (path: string) => inside(name, 'wget', '-q', '-O-', `http://127.0.0.1:9090${path}`);
    expect(await until(/Ready/, 30, () => get('/-/ready'))).toBe('Prometheus Server is Ready.');
    expect(await get('/api/v1/status/buildinfo')).toContain('"version":"2.53.3');
    expect(await until(/"1"/, 40, () => get('/api/v1/query?query=up'))).toContain('"job":"prometheus"');
    expect(await inside(name, 'id', '-u')).toBe('65534');
    await docker('stop', name);
    expect(await exitCode(name)).toBe('0');
  });
});

describe('the stand-in for Grafana', () => {
  it('answers health, takes a dashboard, and says what it is', async () => {
    const name = await start('--read-only', images.grafana.reference);
    const ask = (path: string, body?: unknown) =>
      inside(
        name,
        'python3',
        '-c',
        'import sys, urllib.request as u; print(u.urlopen(u.Request(sys.argv[1], data=sys.argv[2].encode() or None)).read().decode())',
        `http://127.0.0.1:3000${path}`,
        body === undefined ? '' : JSON.stringify(body),
      );
    expect(JSON.parse(await until(/database/, 20, () => ask('/api/health')))).toMatchObject({
      database: 'ok',
      version: 'raygate lab stand-in, not Grafana',
    });
    const dashboard = { dashboard: { uid: 'ray-cluster', title: 'Ray <cluster>' }, overwrite: true };
    expect(JSON.parse(await ask('/api/dashboards/db', dashboard))).toMatchObject({ status: 'success', version: 1 });
    expect(JSON.parse(await ask('/api/dashboards/db', dashboard))).toMatchObject({ status: 'success', version: 2 });
    const page = await ask('/');
    expect([page.includes('This is not Grafana'), page.includes('Ray &lt;cluster&gt;')]).toEqual([true, true]);
    expect(await inside(name, 'id', '-u')).toBe('472');
  });
});

describe('ray', () => {
  it('starts a head as user ray by the command that KubeRay makes, and runs a task', async () => {
    const command =
      'ulimit -n 65536; ray start --head --block --num-cpus=1 --disable-usage-stats --dashboard-host=0.0.0.0';
    const name = await start('--shm-size', '512m', images.ray.reference, '/bin/bash', '-c', '--', command);
    // The probe of KubeRay 1.6.2 for Ray before 2.53 and for RayService workers, word for word.
    const probe = 'wget --tries 1 -T 2 -q -O- http://localhost:52365/api/local_raylet_healthz | grep success';
    expect(await until(/success/, 120, () => inside(name, 'bash', '-c', probe))).toContain('success');
    expect(
      await inside(name, 'bash', '-lc', 'ray health-check --address localhost:6379 && ray --version && id -u'),
    ).toMatch(/2\.60\.0\n1000$/);
    const task =
      'import ray; ray.init("auto", log_to_driver=False); f = ray.remote(lambda a, b: a + b); print(ray.get(f.remote(2, 3)))';
    expect((await inside(name, 'python', '-c', task)).split('\n').at(-1)).toBe('5');
  });
});
