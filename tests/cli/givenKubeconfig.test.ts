import { describe, expect, it } from 'vitest';
import { namedKubeconfig } from '../../src/cli/givenKubeconfig.js';
import { GateError, type Layer } from '../../src/core/gateError.js';

describe('a refused kubeconfig', () => {
  const flag = { flag: true, file: 'stacks/kind.yaml' };
  const file = { flag: false, file: 'Pulumi.kind-a.yaml' };
  const byFlag = '; the kubeconfig /k is named by --kubeconfig, and no setting was stored';
  const byFile =
    '; the kubeconfig /k is named by raygate:kubeconfig in Pulumi.kind-a.yaml (give another one with --kubeconfig PATH), and no setting was stored';
  const rows: readonly [string, string, typeof flag, Layer, string][] = [
    ['that cannot be read is wrong use of the flag', 'kubeconfig.unreadable', flag, 'usage', byFlag],
    ['that cannot be read is a wrong setting of the file', 'kubeconfig.unreadable', file, 'settings', byFile],
    ['that is none is wrong use', 'kubeconfig.malformed', flag, 'usage', byFlag],
    ['without the context is wrong use', 'kubeconfig.context-unknown', flag, 'usage', byFlag],
    ['with a server elsewhere is wrong use', 'kubeconfig.server-not-local', flag, 'usage', byFlag],
    ['with a plugin is a wrong setting of the file', 'kubeconfig.credentials-unsupported', file, 'settings', byFile],
    ['with a proxy is wrong use', 'kubeconfig.proxy', flag, 'usage', byFlag],
    ['that is not verified is wrong use', 'kubeconfig.no-authority', flag, 'usage', byFlag],
    ['whose snapshot was changed failed a check', 'kubeconfig.changed', flag, 'preflight', byFlag],
    ['whose cluster does not answer failed a check', 'credentials.unreadable', file, 'preflight', byFile],
    ['is not what a partial Secret is about', 'credentials.partial', flag, 'preflight', ''],
  ];
  it.each(rows)('%s', (_name, code, source, layer, named) => {
    const error = new GateError({ layer: 'preflight', code, message: 'refused', retryable: true });
    const told = namedKubeconfig(error, '/k', source) as GateError;
    expect({ layer: told.layer, code: told.code, message: told.message, retryable: told.retryable }).toEqual({
      layer,
      code,
      message: `refused${named}`,
      retryable: true,
    });
  });

  it('is named once', () => {
    const error = new GateError({ layer: 'preflight', code: 'kubeconfig.unreadable', message: '/k cannot be read' });
    expect((namedKubeconfig(error, '/k', flag) as GateError).message).toBe(
      '/k cannot be read; it is named by --kubeconfig, and no setting was stored',
    );
  });

  it('leaves any other error as it is', () => {
    const error = new Error('kubeconfig.unreadable');
    expect(namedKubeconfig(error, '/k', flag)).toBe(error);
  });
});
