import { describe, expect, it } from 'vitest';
import { type Diagnostic, type Heard, readDiagnostic } from '../../src/cli/pulumi/diagnostic.js';

const urn = 'urn:pulumi:lab::raygate::raygate:Step::ray';

describe('a diagnostic of Pulumi', () => {
  const rows: readonly [string, Diagnostic, Heard][] = [
    ['of the engine for itself says nothing', { severity: 'debug', message: 'x' }, { kind: 'nothing' }],
    ['without text says nothing', { severity: 'info', message: '<{%reset%}>\n' }, { kind: 'nothing' }],
    [
      'that a plugin is on PATH says nothing',
      {
        severity: 'warning',
        message: '<{%reset%}>using pulumi-language-nodejs from $PATH at /x/pulumi-language-nodejs<{%reset%}>\n',
      },
      { kind: 'nothing' },
    ],
    [
      'that a plugin beside pulumi was passed over says nothing',
      {
        severity: 'warning',
        message: 'using pulumi-resource-pulumi-nodejs from $PATH at /x/pulumi-resource-pulumi-nodejs expected /y',
      },
      { kind: 'nothing' },
    ],
    [
      'that quotes such a line in an error is an error',
      { severity: 'error', message: 'using pulumi-language-nodejs from $PATH at /x failed' },
      { kind: 'error', message: 'using pulumi-language-nodejs from $PATH at /x failed' },
    ],
    [
      'of severity error is one, without colours',
      { severity: 'error', message: '\x1b[31mFAILED [ray]: x\x1b[0m', urn },
      { kind: 'error', message: 'FAILED [ray]: x' },
    ],
    [
      'of a layer is what that layer waits for, whichever resource said it',
      { severity: 'info#err', message: '[setup] waiting for pod a', urn },
      { kind: 'progress', row: 'setup', waitingFor: 'waiting for pod a' },
    ],
    [
      'that a layer passed ends its row',
      { severity: 'info', message: '[ray] passed in 2.0 s', urn },
      { kind: 'progress', row: 'ray', waitingFor: '' },
    ],
    [
      'that passes is the last line of what its resource waits for',
      { severity: 'info', message: 'a\nb', urn, ephemeral: true },
      { kind: 'progress', row: 'ray', waitingFor: 'b' },
    ],
    ['that stays is a line', { severity: 'warning', message: 'a', urn }, { kind: 'line', line: 'ray: a' }],
    ['of no resource is a line of pulumi', { severity: 'info', message: 'a' }, { kind: 'line', line: 'pulumi: a' }],
  ];
  it.each(rows)('%s', (_name, diagnostic, heard) => {
    expect(readDiagnostic(diagnostic)).toEqual(heard);
  });
});
