import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/cli/exitCode.js';
import { GateError, type Layer, layers } from '../../src/core/gateError.js';

const ofLayer = (layer: Layer) => new GateError({ layer, code: `${layer}.x`, message: 'x' });

describe('the exit code', () => {
  const rows: readonly [string, unknown, number][] = [
    ['0 for help that was asked for', new CommanderError(0, 'commander.helpDisplayed', '(outputHelp)'), 0],
    ['2 for an option that does not exist', new CommanderError(1, 'commander.unknownOption', 'x'), 2],
    ['2 for wrong settings', ofLayer('settings'), 2],
    ['2 for wrong use', ofLayer('usage'), 2],
    ...['malformed', 'context-unknown', 'server-not-local', 'proxy', 'no-authority', 'credentials-unsupported'].map(
      (problem): [string, unknown, number] => [
        `2 for a kubeconfig that must be changed: ${problem}`,
        new GateError({ layer: 'preflight', code: `kubeconfig.${problem}`, message: 'x' }),
        2,
      ],
    ),
    ['1 for a snapshot that was changed', new GateError({ layer: 'ray', code: 'kubeconfig.changed', message: 'x' }), 1],
    ['2 for a start that needs root', new GateError({ layer: 'lab', code: 'lab.not-hostable', message: 'x' }), 2],
    ['1 for a fault of our own', new Error('x'), 1],
    ['1 for what is no error', 'x', 1],
  ];
  it.each(rows)('is %s', (_name, error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });

  it('is 1 for a check or a step that failed, in every other layer', () => {
    const others = layers.filter((layer) => layer !== 'settings' && layer !== 'usage');
    expect(others.filter((layer) => exitCodeOf(ofLayer(layer)) !== 1)).toEqual([]);
  });
});
