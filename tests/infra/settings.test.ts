import { describe, expect, it } from 'vitest';
import { defaultDeadlineSeconds } from '../../src/infra/deadlines.js';
import { parseSettings, settingsError, settingsReference, settingsTable } from '../../src/infra/settings.js';

const place = { projectFolder: '/project', homeFolder: '/home/user', stack: 'lab' };
const least = {
  'raygate:kubeconfig': '~/.kube/config',
  'raygate:context': 'docker-desktop',
  'raygate:rayRestart': 'skip',
};

const problemsOf = (raw: Record<string, string>) => {
  const result = parseSettings(raw, place);
  return result.ok ? [] : result.problems;
};

describe('parseSettings', () => {
  it('gives every default when only the required keys are there', () => {
    expect(parseSettings(least, place)).toEqual({
      ok: true,
      settings: {
        kubeconfig: '/home/user/.kube/config',
        context: 'docker-desktop',
        platform: 'docker-desktop',
        dockerHost: undefined,
        dockerConfig: undefined,
        profile: 'full',
        rayRestart: 'skip',
        drain: 'wait',
        attempt: undefined,
        adopt: false,
        enforce: false,
        runtimeEnvAccess: 'RWX',
        webUrl: 'http://localhost:30080',
        prometheusUrl: 'http://localhost:30090',
        stateFolder: '/project/.raygate/lab',
        deadlines: defaultDeadlineSeconds,
      },
    });
  });

  it('reports everything that is wrong at once, by path', () => {
    expect(
      problemsOf({
        'raygate:context': 'production',
        'raygate:profile': 'huge',
        'raygate:webUrl': 'http://user:marker@localhost',
        'raygate:adopt': 'yes',
        'raygate:deadlines': '{"ray": 0, "rya": 60, "probes": "1.5", "prometheus": 0}',
        'raygate:rayRestarts': 'skip',
        'raygate:namespace': 'other',
        'kubernetes:context': 'ignored',
      }),
    ).toEqual([
      'raygate:kubeconfig is missing: give an absolute path, or one that begins with ~/ (Path of the kubeconfig to use. Nothing ambient is consulted)',
      'raygate:context must be docker-desktop or kind-NAME, not "production"',
      'raygate:profile must be full, lean or lab, not "huge"',
      'raygate:rayRestart is missing: give required or skip (Whether a new run restarts Ray cold)',
      'raygate:adopt must be true or false, not "yes"',
      'raygate:webUrl is refused: it must hold no user information',
      'raygate:deadlines.ray must be a whole number of seconds from 1 to 86400, not 0',
      'raygate:deadlines.rya is no deadline; did you mean ray?',
      'raygate:deadlines.probes must be a whole number of seconds from 1 to 86400, not "1.5"',
      'raygate:rayRestarts is no setting; did you mean raygate:rayRestart?',
      `raygate:namespace is no setting; the settings are ${settingsReference()
        .map((row) => row.key.slice('raygate:'.length))
        .join(', ')}`,
    ]);
  });

  it.each([
    {
      name: 'a kind context gives platform kind',
      raw: { 'raygate:context': 'kind-dev' },
      expected: { platform: 'kind' },
    },
    { name: 'a platform that is given wins', raw: { 'raygate:platform': 'lab' }, expected: { platform: 'lab' } },
    { name: 'adopt is read as a boolean', raw: { 'raygate:adopt': 'true' }, expected: { adopt: true } },
    { name: 'enforce is read as a boolean', raw: { 'raygate:enforce': 'true' }, expected: { enforce: true } },
    {
      name: 'a URL loses its slash',
      raw: { 'raygate:webUrl': 'http://localhost:8080/' },
      expected: { webUrl: 'http://localhost:8080' },
    },
    { name: 'a path is made whole', raw: { 'raygate:stateFolder': '/a/../b/' }, expected: { stateFolder: '/b' } },
    {
      name: 'one deadline leaves the others',
      raw: { 'raygate:deadlines': '{"ray": "600"}' },
      expected: { deadlines: { ...defaultDeadlineSeconds, ray: 600 } },
    },
    {
      name: 'Prometheus may be looked at once',
      raw: { 'raygate:deadlines': '{"prometheus": 0}' },
      expected: { deadlines: { ...defaultDeadlineSeconds, prometheus: 0 } },
    },
  ])('$name', ({ raw, expected }) => {
    expect(parseSettings({ ...least, ...raw }, place)).toEqual({
      ok: true,
      settings: expect.objectContaining(expected),
    });
  });

  it('refuses an unknown key when all else is right', () => {
    expect(problemsOf({ ...least, 'raygate:drian': 'wait' })).toEqual([
      'raygate:drian is no setting; did you mean raygate:drain?',
    ]);
  });

  it.each([
    {
      name: 'a context of another cluster',
      key: 'context',
      value: 'kind-',
      says: 'must be docker-desktop or kind-NAME, not "kind-"',
    },
    {
      name: 'a relative path',
      key: 'kubeconfig',
      value: 'config',
      says: 'must be an absolute path, or one that begins with ~/, not "config"',
    },
    { name: 'a path of two lines', key: 'kubeconfig', value: '/a\n/b', says: 'must be one line' },
    {
      name: 'a Docker endpoint over ssh',
      key: 'dockerHost',
      value: 'ssh://host',
      says: 'must be a unix, npipe, tcp, http or https endpoint on this machine',
    },
    { name: 'an empty attempt', key: 'attempt', value: '', says: 'must be 1 to 63 letters, digits, . _ or -, not ""' },
    {
      name: 'deadlines that are no object',
      key: 'deadlines',
      value: '60',
      says: 'must be an object of seconds by name, such as {"ray": 600}',
    },
    {
      name: 'deadlines that are no JSON',
      key: 'deadlines',
      value: '{',
      says: 'must be an object of seconds by name, such as {"ray": 600}',
    },
  ])('refuses $name', ({ key, value, says }) => {
    expect(problemsOf({ ...least, [`raygate:${key}`]: value })).toEqual([`raygate:${key} ${says}`]);
  });
});

describe('settingsError', () => {
  const of = { stack: 'kind-a', file: 'Pulumi.kind-a.yaml' };
  it.each([
    [
      'of one problem is one line',
      ['raygate:context is missing'],
      'Pulumi.kind-a.yaml: raygate:context is missing; set it with: pulumi config set --stack kind-a KEY VALUE',
    ],
    [
      'of more has the first on its first line, and a line for each other',
      ['raygate:context is missing', 'raygate:drain must be wait or skip'],
      'Pulumi.kind-a.yaml: raygate:context is missing, and 1 more:\n  raygate:drain must be wait or skip\nset them with: pulumi config set --stack kind-a KEY VALUE',
    ],
  ])('%s', (_name, problems, message) => {
    expect(settingsError(problems, of)).toMatchObject({ layer: 'settings', code: 'settings.invalid', message });
  });
});

describe('settingsReference', () => {
  const rows = settingsReference();

  it('tells the required keys, and says something of each', () => {
    expect(rows.filter((row) => row.default === undefined).map((row) => row.key)).toEqual([
      'raygate:kubeconfig',
      'raygate:context',
      'raygate:rayRestart',
    ]);
    expect(rows.filter((row) => row.meaning === '' || row.values === '')).toEqual([]);
  });

  // Of a list of words: `full, lean or lab`.
  const words = (values: string) => (/^[\w-]+(?:, [\w-]+)* or [\w-]+$/.test(values) ? values.split(/, | or /) : []);
  const listed = rows.flatMap(({ key, values }) => words(values).map((value): [string, string] => [key, value]));

  it('lists the words of the settings that take words', () => {
    expect(new Set(listed.map(([key]) => key.slice('raygate:'.length)))).toEqual(
      new Set(['context', 'platform', 'profile', 'rayRestart', 'drain', 'adopt', 'enforce', 'runtimeEnvAccess']),
    );
  });

  it.each(listed)('names for %s only what it takes: %s', (key, value) => {
    const given = value === 'kind-NAME' ? 'kind-name' : value;
    expect(problemsOf({ ...least, [key]: given })).toEqual([]);
  });

  const values = rows.filter((row) => row.default !== undefined && /^(?:[\w-]+|http:\S+)$/.test(row.default));
  it.each(values.map((row) => [row.key, row.default ?? '']))('says the default of %s: %s', (key, value) => {
    expect(parseSettings({ ...least, [key]: value }, place)).toEqual(parseSettings(least, place));
  });
});

describe('settingsTable', () => {
  it('has a row of four cells for each setting', () => {
    const lines = settingsTable().split('\n');
    expect(lines).toHaveLength(settingsReference().length + 2);
    expect(lines.filter((line) => line.split('|').length !== 6)).toEqual([]);
    expect(lines).toContain(
      '| `raygate:drain` | wait or skip | wait | Whether accepted work is waited for before a change. |',
    );
    expect(lines).toContain(
      '| `raygate:rayRestart` | required or skip | (required) | Whether a new run restarts Ray cold. |',
    );
  });
});
