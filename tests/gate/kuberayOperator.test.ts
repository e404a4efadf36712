import { describe, expect, test } from 'vitest';
import { judgeOperator, type OperatorCandidate } from '../../src/gate/rules/kuberayOperator.js';

const deployment = (
  image: string,
  labels: Readonly<Record<string, string>> = {},
  name = 'kuberay-operator',
): OperatorCandidate => ({
  metadata: { name, namespace: 'kuberay-system', ...{ labels } },
  spec: { template: { spec: { containers: [{ image: 'busybox:1' }, { image }] } } },
});
const digest = `@sha256:${'a'.repeat(64)}`;
const named = { 'app.kubernetes.io/name': 'kuberay-operator' };
const supported = 'quay.io/kuberay/operator:v1.6.2';
const noise = deployment('nginx:1.6.2', { 'app.kubernetes.io/version': '1.6.2' }, 'nginx');

describe('the running operator says which KubeRay it is', () => {
  test.each([
    ['of a registry, by its tag', deployment(supported)],
    ['of no registry, by its tag', deployment('kuberay/operator:v1.6.2')],
    ['by a tag without v', deployment('kuberay/operator:1.6.2')],
    ['by the tag before a digest', deployment(`${supported}${digest}`)],
    ['of a mirror with a port', deployment('localhost:5000/kuberay/operator:v1.6.2')],
    [
      'of a digest alone, by its label',
      deployment(`kuberay/operator${digest}`, { 'app.kubernetes.io/version': 'v1.6.2' }),
    ],
    [
      'of a digest alone, by its chart',
      deployment(`kuberay/operator${digest}`, { 'helm.sh/chart': 'kuberay-operator-1.6.2' }),
    ],
  ])('%s', (_, operator) => {
    expect(judgeOperator([noise, operator], '2.60.0')).toMatchObject({
      kind: 'ready',
      facts: { version: '1.6.2', deployment: 'kuberay-system/kuberay-operator' },
    });
  });

  test('an image of another name is known by the labels of its Deployment', () => {
    const operator: OperatorCandidate = {
      metadata: {
        name: 'operator',
        namespace: 'ops',
        ...{ labels: { ...named, 'app.kubernetes.io/version': '1.6.2' } },
      },
      spec: { template: { spec: { containers: [{ image: 'mirror.local/ray-op' }] } } },
    };
    expect(judgeOperator([operator], '2.60.0')).toEqual({
      kind: 'ready',
      facts: { version: '1.6.2', deployment: 'ops/operator', image: 'mirror.local/ray-op' },
    });
  });

  test.each([
    ['there is none', [noise], '2.60.0', 'operator-missing', 'No Deployment of this cluster'],
    [
      'it is of another version',
      [deployment('kuberay/operator:v1.7.0')],
      '2.60.0',
      'operator-unsupported',
      'KubeRay 1.7.0 (Deployment kuberay-system/kuberay-operator, image kuberay/operator:v1.7.0) is not supported; supported: 1.6.2.',
    ],
    [
      'it is a release candidate',
      [deployment('kuberay/operator:v1.6.2-rc.0')],
      '2.60.0',
      'operator-unsupported',
      'KubeRay 1.6.2-rc.0',
    ],
    ['Ray is older than its probes', [deployment(supported)], '2.52.1', 'ray-unsupported', 'Ray 2.52.1'],
    ['Ray is of another age', [deployment(supported)], '1.99.0', 'ray-unsupported', 'Ray 1.99.0 under KubeRay 1.6.2'],
    [
      'it says nothing',
      [deployment('kuberay/operator:nightly')],
      '2.60.0',
      'operator-unreadable',
      'kuberay/operator:nightly',
    ],
    [
      'it says a word of ours',
      [deployment('kuberay/operator', { 'app.kubernetes.io/version': 'constructor' })],
      '2.60.0',
      'operator-unreadable',
      '',
    ],
    [
      'there are two',
      [deployment(supported), deployment(supported, {}, 'second')],
      '2.60.0',
      'operator-twice',
      'kuberay-system/kuberay-operator, kuberay-system/second',
    ],
  ])('and is refused when %s', (_, deployments, ray, code, says) => {
    expect(judgeOperator(deployments, ray)).toMatchObject({
      kind: 'failed',
      code: `preflight.${code}`,
      detail: expect.stringContaining(says),
    });
  });

  test('a Ray of a later major version is not older', () => {
    expect(judgeOperator([deployment(supported)], '3.0.0').kind).toBe('ready');
    expect(judgeOperator([deployment(supported)], '2.53.0').kind).toBe('ready');
  });
});
