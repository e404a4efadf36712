import { describe, expect, it } from 'vitest';
import { GateError } from '../../../src/core/gateError.js';
import { ProcessFailure } from '../../../src/host/process.js';
import { imageError } from '../../../src/lab/images/imageError.js';

const failed = (output: string) =>
  new ProcessFailure('tool --with --many arguments ended with exit code 1: x', 'exit', 1, output);
const activity = 'making the image postgres:17';

const rows: readonly [string, unknown, string, string][] = [
  [
    'a full disk in this process',
    Object.assign(new Error('write'), { code: 'ENOSPC' }),
    'lab.disk-full',
    'the disk is full',
  ],
  [
    'a full disk in a tool',
    failed('tar: x: Cannot write: No space left on device\nE: tar failed'),
    'lab.disk-full',
    'the disk is full',
  ],
  ['a quota', Object.assign(new Error('write'), { code: 'EDQUOT' }), 'lab.disk-full', 'the disk is full'],
  [
    'the first reason of mmdebstrap, not its last word',
    failed('I: running\nE: Failed to fetch http://m.test/x Could not connect\nE: mmdebstrap failed to run'),
    'lab.image-failed',
    'making the image postgres:17 failed: E: Failed to fetch http://m.test/x Could not connect',
  ],
  [
    'the last ERROR of a docker build',
    failed(
      '#5 ERROR: process "/bin/sh" did not complete\n------\nERROR: failed to build: failed to solve: exit code: 1\n',
    ),
    'lab.image-failed',
    'making the image postgres:17 failed: ERROR: failed to build: failed to solve: exit code: 1',
  ],
  [
    'a mirror without its credentials',
    failed('E: Failed to fetch https://name:secret@m.test/debian 401'),
    'lab.image-failed',
    'making the image postgres:17 failed: E: Failed to fetch https://m.test/debian 401',
  ],
  [
    'a program that is missing',
    new ProcessFailure('The program "mmdebstrap" was not found: install it.', 'missing', undefined, ''),
    'lab.image-failed',
    'making the image postgres:17 failed: The program "mmdebstrap" was not found: install it.',
  ],
];

describe('an error of an image', () => {
  it.each(rows)('says in one line: %s', (_name, error, code, start) => {
    const said = imageError(activity, '/cache', error);
    expect([said.layer, said.code, said.message.startsWith(start), said.message.includes('\n')]).toEqual([
      'lab',
      code,
      true,
      false,
    ]);
  });

  it('calls a disk with nothing left full, whatever the tool said', () => {
    expect(imageError(activity, '/cache', failed('E: apt-get update failed'), 1024).code).toBe('lab.disk-full');
    expect(imageError(activity, '/cache', failed('E: apt-get update failed'), 10 ** 10).code).toBe('lab.image-failed');
  });

  it('leaves an error that is one already', () => {
    const error = new GateError({ layer: 'lab', code: 'lab.no-debian-mirror', message: 'none' });
    expect(imageError(activity, '/cache', error)).toBe(error);
  });
});
