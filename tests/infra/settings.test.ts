import { describe, expect, it } from 'vitest';
import { defaultDeadlineSeconds } from '../../src/infra/deadlines.js';
import { parseSettings, settingsError, settingsReference } from '../../src/infra/settings.js';

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
        runtimeEnvAccess: 'RWX',
        webUrl: 'http://localhost:30080',
        prometheusUrl: 'http://localhost:30090',
        stateFolder: '/project/.raygate/lab',
        deadlineSeconds: 10_800,
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
        'raygate:deadlineSeconds': '0',
        'raygate:rayRestarts': 'skip',
        'raygate:namespace': 'other',
        'kubernetes:context': 'ignored',
      }),
    ).toEqual([
      'raygate:kubeconfig is missing',
      'raygate:context must be docker-desktop or kind-NAME, not "production"',
      'raygate:profile must be full, lean or lab, not "huge"',
      'raygate:rayRestart is missing',
      'raygate:adopt must be true or false, not "yes"',
      'raygate:webUrl is refused: it must hold no user information',
      'raygate:deadlineSeconds must be a whole number of seconds from 1 to 86400, not "0"',
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
      name: 'the whole run has a deadline of its own',
      raw: { 'raygate:deadlineSeconds': '600' },
      expected: { deadlineSeconds: 600 },
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
      says: 'must be an absolute path or begin with ~/, not "config"',
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
  it('is one error of layer settings with a line for each problem and a next step', () => {
    expect(settingsError(['raygate:context is missing'])).toMatchObject({
      layer: 'settings',
      code: 'settings.invalid',
      message:
        '1 wrong in the settings of this stack:\n  raygate:context is missing\nset them with: pulumi config set KEY VALUE',
    });
  });
});

describe('settingsReference', () => {
  it('tells the required keys, and says something of each', () => {
    const rows = settingsReference();
    expect(rows.filter((row) => row.required).map((row) => row.key)).toEqual([
      'raygate:kubeconfig',
      'raygate:context',
      'raygate:rayRestart',
    ]);
    expect(rows.filter((row) => row.meaning === '')).toEqual([]);
  });
});
