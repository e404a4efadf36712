import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureLine, readFailureLine, relayedFailureLine } from '../../src/core/failureLine.js';
import { GateError, type GateErrorOptions, layers, mayPass, restated } from '../../src/core/gateError.js';
import { isUnseen } from '../../src/core/verdict.js';

const error = (fields: Partial<GateErrorOptions> = {}) =>
  new GateError({ layer: 'ray', code: 'ray.pod-not-owned', message: 'Pod a is not owned.', ...fields });

describe('a failure line that goes through Pulumi', () => {
  const rows: readonly [string, unknown, string][] = [
    ['names layer, message and code', error(), 'FAILED [ray]: Pod a is not owned. (ray.pod-not-owned)'],
    [
      'says what may pass, which the command itself does not print',
      error({ retryable: true }),
      'FAILED [ray]: Pod a is not owned. (ray.pod-not-owned; may pass)',
    ],
    [
      'says it not of a wait that reached its deadline',
      error({ retryable: true, timedOut: true }),
      'FAILED [ray]: Pod a is not owned. (ray.pod-not-owned)',
    ],
    ['of a fault of our own has no code', new Error('x'), 'FAILED [internal]: x'],
    ['of what is no error has its text', 'x', 'FAILED [internal]: x'],
  ];
  it.each(rows)('%s', (_name, thrown, line) => {
    expect([relayedFailureLine(thrown), failureLine(thrown)]).toEqual([line, line.replace('; may pass', '')]);
  });

  const line = 'FAILED [ray]: Pod a (b) is (c.d) away (ray.unreachable; may pass)';
  const read = { layer: 'ray', message: 'Pod a (b) is (c.d) away', code: 'ray.unreachable', mayPass: true };
  const texts: readonly [string, string, object | undefined][] = [
    ['alone', line, read],
    ['with text of Pulumi around it', `1 error occurred:\n\t* ${line}\n  see the log`, read],
    ['the first of two', `${line}\nFAILED [setup]: b (setup.b)`, read],
    [
      'of several lines',
      'FAILED [settings]: 1 wrong:\n  a\nset it (settings.invalid)',
      { layer: 'settings', message: '1 wrong:\n  a\nset it', code: 'settings.invalid', mayPass: false },
    ],
    ['of a layer that does not exist', 'FAILED [frob]: a (frob.a)', undefined],
    ['of our own fault', 'FAILED [internal]: connection refused', undefined],
    ['that is none', 'error: connection refused (a.b)', undefined],
  ];
  it.each(texts)('%s is read', (_name, text, failure) => {
    expect(readFailureLine(text)).toEqual(failure);
  });

  it('is read as it was written, whatever the message says', () => {
    const code = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}\.[a-z0-9-]{1,8}$/);
    const message = fc.string({ minLength: 1 }).filter((text) => !/[\r\n\u2028\u2029]/.test(text));
    fc.assert(
      fc.property(fc.constantFrom(...layers), code, message, fc.boolean(), (layer, name, text, retryable) => {
        expect(
          readFailureLine(relayedFailureLine(new GateError({ layer, code: name, message: text, retryable }))),
        ).toEqual({
          layer,
          message: text,
          code: name,
          mayPass: retryable,
        });
      }),
    );
  });
});

describe('an error in other words', () => {
  it('keeps what it was', () => {
    const whole = error({ retryable: true, timedOut: true });
    expect({ ...restated(whole, { message: 'b' }), message: restated(whole, { message: 'b' }).message }).toEqual({
      ...whole,
      message: 'b',
    });
    expect(mayPass(restated(error({ retryable: true }), { layer: 'usage' }))).toBe(true);
  });
});

describe('a wait in which nobody could be asked', () => {
  const codes: readonly [string, boolean][] = [
    ['watch.unreadable', true],
    ['drain.unreadable', true],
    ['cluster.unconfirmed', true],
    ['cluster.not-listed', true],
    ['api-smoke.no-answer', true],
    ['ray.missing-pods', false],
    ['drain.unfinished-work', false],
    ['unreadable.pods', false],
  ];
  it.each(codes)('%s: %s', (code, unseen) => {
    expect(isUnseen(code)).toBe(unseen);
  });
});
