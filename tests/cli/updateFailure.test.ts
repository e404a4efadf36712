import { describe, expect, it } from 'vitest';
import { isPassing, lacksOnlyTheSecret, updateError } from '../../src/cli/pulumi/updateFailure.js';

const passes = 'FAILED [ray]: Pod a cannot be read: no connection (ray.unreadable; may pass)';
const stays = 'FAILED [setup]: Job django-setup failed: connection refused (setup.job-failed)';
const missing = 'FAILED [preflight]: Secret a does not exist: run "raygate credentials". (preflight.secret-absent)';

describe('an update is run again', () => {
  const rows: readonly [string, readonly string[], boolean][] = [
    ['for a step that says that it may pass', [passes], true],
    ['for such a step among others', ['update failed', stays, passes], true],
    ['not for a step that does not, whatever words it quotes', [stays], false],
    [
      'not for a layer named like what passes',
      ['FAILED [preflight]: Docker does not answer (preflight.docker-unreachable)'],
      false,
    ],
    [
      "for Pulumi's provider without an API server",
      ['Get "https://127.0.0.1:6443": dial tcp: connect: connection refused'],
      true,
    ],
    ["for Pulumi's provider that was cut off", ['Patch "https://127.0.0.1:6443/api": unexpected EOF'], true],
    ["for Pulumi's provider while etcd changes", ['etcdserver: leader changed'], true],
    ["not for another error of Pulumi's", ['the field .spec is immutable'], false],
    ['not for a word that holds such a one', ['GEOFENCE is wrong'], false],
    ['not without an error', [], false],
  ];
  it.each(rows)('%s', (_name, errors, again) => {
    expect(isPassing(errors)).toBe(again);
  });
});

describe('credentials are made', () => {
  const rows: readonly [string, readonly string[], boolean][] = [
    ['when preflight found nothing but the Secret missing', [missing], true],
    [
      'not when it found something else',
      ['FAILED [preflight]: KubeRay is not installed (preflight.kuberay-missing)'],
      false,
    ],
    ['not for a text that quotes the code', ['see (preflight.secret-absent)'], false],
  ];
  it.each(rows)('%s', (_name, errors, made) => {
    expect(lacksOnlyTheSecret(errors)).toBe(made);
  });
});

describe('the error of an update', () => {
  const next = 'what was done stays, and the next npm start or pulumi up goes on from there';
  const rows: readonly [string, readonly string[], object][] = [
    [
      'is that of the step that failed, wherever it stands',
      ['update failed', stays],
      { layer: 'setup', code: 'setup.job-failed', message: `Job django-setup failed: connection refused; ${next}` },
    ],
    [
      'of preflight says nothing of what was done',
      [missing],
      {
        layer: 'preflight',
        code: 'preflight.secret-absent',
        message: 'Secret a does not exist: run "raygate credentials".',
      },
    ],
    [
      'of settings keeps all its lines',
      ['FAILED [settings]: 1 wrong:\n  a\nset it (settings.invalid)'],
      { layer: 'settings', code: 'settings.invalid', message: '1 wrong:\n  a\nset it' },
    ],
    [
      "of Pulumi's own is its first line",
      ['', '  the field .spec is immutable.\nmore'],
      { layer: 'apply', code: 'start.update-failed', message: `the field .spec is immutable; ${next}` },
    ],
    [
      'without a text says so',
      [],
      { layer: 'apply', code: 'start.update-failed', message: `no reason was given; ${next}` },
    ],
  ];
  it.each(rows)('%s', (_name, errors, expected) => {
    const { layer, code, message } = updateError(errors);
    expect({ layer, code, message }).toEqual(expected);
  });
});
