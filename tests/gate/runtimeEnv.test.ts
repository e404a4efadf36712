import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { archivePathOf, type NodeAnswer, readNodeReport } from '../../src/gate/model/runtimeEnv.js';
import { judgeRuntimeEnv } from '../../src/gate/rules/runtimeEnv.js';
import { archive, nodeAnswer, nodeOutput } from '../builders/runtimeEnv.js';

const head = nodeAnswer('head');

describe('the archive on the Ray nodes', () => {
  test('is proven when every node holds the bytes that setup wrote and can start a task from them', () => {
    const verdict = judgeRuntimeEnv([nodeAnswer('worker'), head], archive);
    const report = readNodeReport(nodeOutput());
    expect(verdict).toEqual({
      kind: 'ready',
      facts: {
        archive,
        bareDjangoRay: 'absent',
        nodes: [
          { pod: 'head', uid: 'head-uid', report },
          { pod: 'worker', uid: 'worker-uid', report },
        ],
      },
    });
  });

  test.each<[string, NodeAnswer, string, string]>([
    [
      'it can import django_ray without the archive',
      nodeAnswer('w', { bare_django_ray: '/site-packages/django_ray/__init__.py' }),
      'django-ray-present',
      'Pod w can import django_ray without the archive (/site-packages/django_ray/__init__.py): tasks there need not run what was committed.',
    ],
    [
      'it does not say whether it can import django_ray',
      nodeAnswer('w', { bare_django_ray: undefined }),
      'django-ray-present',
      'Pod w can import django_ray without the archive (unknown): tasks there need not run what was committed.',
    ],
    [
      'the file is not there',
      nodeAnswer('w', { bytes: undefined, sha256: undefined, error: 'FileNotFoundError: x' }),
      'archive-unreadable',
      'Pod w cannot read /runtime-env/a.zip: FileNotFoundError: x.',
    ],
    [
      'the file could be opened but not read',
      nodeAnswer('w', { sha256: undefined, error: 'OSError: x' }),
      'archive-unreadable',
      'Pod w cannot read /runtime-env/a.zip: OSError: x.',
    ],
    [
      'the file is empty',
      nodeAnswer('w', { bytes: 0 }),
      'archive-facts',
      `Pod w gave 0 bytes and the digest "${archive.sha256}" for /runtime-env/a.zip.`,
    ],
    [
      'the digest is none',
      nodeAnswer('w', { sha256: 'E'.repeat(64) }),
      'archive-facts',
      `Pod w gave 10 bytes and the digest "${'E'.repeat(64)}" for /runtime-env/a.zip.`,
    ],
    [
      'the digest is another',
      nodeAnswer('w', { sha256: 'd'.repeat(64) }),
      'archive-differs',
      `Pod w holds 10 bytes with SHA-256 ${'d'.repeat(64)} at /runtime-env/a.zip, but setup wrote 10 bytes with ${archive.sha256}.`,
    ],
    [
      'the size is another',
      nodeAnswer('w', { bytes: 11 }),
      'archive-differs',
      `Pod w holds 11 bytes with SHA-256 ${archive.sha256} at /runtime-env/a.zip, but setup wrote 10 bytes with ${archive.sha256}.`,
    ],
    [
      'the required member is missing',
      nodeAnswer('w', { required_member: false }),
      'member',
      'The archive of pod w lacks its required member.',
    ],
    [
      'it counts other members',
      nodeAnswer('w', { members: 2 }),
      'members',
      'The archive of pod w has 2 members, but setup wrote 3.',
    ],
    [
      'a task could not import it',
      nodeAnswer('w', { expanded_django_ray: undefined, error: 'RuntimeError: ModuleNotFoundError' }),
      'not-importable',
      'Pod w cannot import django_ray out of the expanded archive: RuntimeError: ModuleNotFoundError.',
    ],
    [
      'a task would import another one',
      nodeAnswer('w', { expanded_django_ray: '../../site-packages/django_ray/__init__.py' }),
      'not-importable',
      'Pod w cannot import django_ray out of the expanded archive: it comes from "../../site-packages/django_ray/__init__.py".',
    ],
    [
      'the probe ended badly',
      { ...nodeAnswer('w'), exitCode: 1, stderr: 'Traceback\nSyntaxError' },
      'no-report',
      'The probe in pod w ended with 1: Traceback\nSyntaxError',
    ],
    [
      'the probe said nothing',
      { ...nodeAnswer('w'), stdout: '' },
      'no-report',
      'The probe in pod w ended with 0: it said nothing',
    ],
  ])('is refused when on one node %s', (_, answer, code, detail) => {
    expect(judgeRuntimeEnv([head, answer], archive)).toEqual({ kind: 'failed', code: `runtime-env.${code}`, detail });
  });

  test('is refused when nobody was asked', () => {
    expect(judgeRuntimeEnv([], archive)).toMatchObject({ kind: 'failed', code: 'runtime-env.no-pods' });
  });
});

describe('the report of a node', () => {
  test('is its last line, whatever came before', () => {
    expect(readNodeReport(`warning\n${nodeOutput({ bytes: 7 })}`)).toMatchObject({ bytes: 7 });
  });

  test('of another schema is none', () => {
    expect(readNodeReport(nodeOutput({ schema: 'x' }))).toBeUndefined();
  });

  test('never throws, and reads nothing out of other text', () => {
    fc.assert(fc.property(fc.string(), (text) => readNodeReport(text) === undefined));
  });
});

describe('the path behind an archive URI', () => {
  test.each([
    ['file:///runtime-env/a.zip', '/runtime-env/a.zip'],
    ['file:///runtime-env/../etc/a.zip', undefined],
    ['file:///runtime-env/./a.zip', undefined],
    ['file:///runtime-env//a.zip', undefined],
    ['file://host/a.zip', undefined],
    ['file:///runtime-env/a.tar', undefined],
    ['file:///runtime-env/a.zip?x', undefined],
    ['https:///a.zip', undefined],
  ])('of %s is %s', (uri, path) => {
    expect(archivePathOf(uri)).toBe(path);
  });
});
