import { describe, expect, it } from 'vitest';
import { ClusterError } from '../../src/cluster/clusterError.js';
import { GateError } from '../../src/core/gateError.js';
import { stepError } from '../../src/gate/provider/stepError.js';

describe('the error of a step', () => {
  const gateError = new GateError({
    layer: 'drain',
    code: 'drain.x',
    message: 'a\nSECRET',
    retryable: true,
    timedOut: true,
  });
  const rows: readonly [string, unknown, object][] = [
    [
      'is the layer’s own, in one clean line, and as retryable as it was',
      gateError,
      { layer: 'drain', code: 'drain.x', message: 'a *', retryable: true, timedOut: true },
    ],
    [
      'is the API server’s, which says whether it may pass',
      new ClusterError({ code: 'unreachable', message: 'gone', retryable: true }),
      { layer: 'ray', code: 'ray.unreachable', message: 'gone', retryable: true, timedOut: false },
    ],
    [
      'is the API server’s word for good, whatever its text',
      new ClusterError({ code: 'invalid', message: 'connection refused' }),
      { layer: 'ray', code: 'ray.invalid', message: 'connection refused', retryable: false, timedOut: false },
    ],
    [
      'is a library’s that sounds like an absence',
      new Error('connect ECONNREFUSED 127.0.0.1:1'),
      {
        layer: 'ray',
        code: 'ray.internal',
        message: 'connect ECONNREFUSED 127.0.0.1:1',
        retryable: true,
        timedOut: false,
      },
    ],
    [
      'is a fault',
      'x is undefined',
      { layer: 'ray', code: 'ray.internal', message: 'x is undefined', retryable: false, timedOut: false },
    ],
    [
      'is bounded',
      new Error('x'.repeat(9_000)),
      { layer: 'ray', code: 'ray.internal', message: `${'x'.repeat(3_999)}…`, retryable: false, timedOut: false },
    ],
  ];
  it.each(rows)('%s', (_name, thrown, expected) => {
    const { layer, code, message, retryable, timedOut } = stepError(thrown, 'ray', (text) =>
      text.replace('SECRET', '*'),
    );
    expect({ layer, code, message, retryable, timedOut }).toEqual(expected);
  });
});
