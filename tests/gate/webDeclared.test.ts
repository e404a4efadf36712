import { describe, expect, test } from 'vitest';
import { type HttpProbeFacts, readWebFacts, type WebFacts } from '../../src/gate/model/webFacts.js';
import { judgeWebDeclared } from '../../src/gate/rules/webDeclared.js';
import { anObject } from '../builders/kube.js';

const labels = { app: 'django-ray', component: 'web' };
const probe = (fields: Partial<HttpProbeFacts> = {}): HttpProbeFacts => ({
  path: '/api/health',
  scheme: 'HTTP',
  host: '',
  hostHeaders: ['django-ray.localhost'],
  ...fields,
});
const web = (fields: Partial<WebFacts> = {}, probes: Partial<WebFacts['probes']> = {}): WebFacts => ({
  probes: { startup: probe(), readiness: probe(), liveness: probe(), ...probes },
  hasStartupProbe: true,
  allowedHosts: ['localhost', 'django-ray.localhost', 'django-web-svc'],
  serviceSelector: labels,
  ...fields,
});

const rows: readonly [string, WebFacts, string][] = [
  ['asks its own pod under the right name', web(), 'ready'],
  ['has no startup probe', web({ hasStartupProbe: false }, { startup: undefined }), 'ready'],
  ['has a startup probe that runs a command', web({}, { startup: undefined }), 'failed probes.no-http-probe'],
  ['has no readiness probe', web({}, { readiness: undefined }), 'failed probes.no-http-probe'],
  ['has no liveness probe', web({}, { liveness: undefined }), 'failed probes.no-http-probe'],
  ['is asked for another path', web({}, { readiness: probe({ path: '/' }) }), 'failed probes.probe-path'],
  ['is asked by HTTPS', web({}, { liveness: probe({ scheme: 'HTTPS' }) }), 'failed probes.probe-scheme'],
  ['is asked elsewhere', web({}, { liveness: probe({ host: 'elsewhere' }) }), 'failed probes.probe-elsewhere'],
  ['is asked under another Host', web({}, { readiness: probe({ hostHeaders: ['x'] }) }), 'failed probes.probe-host'],
  ['is asked without a Host', web({}, { readiness: probe({ hostHeaders: [] }) }), 'failed probes.probe-host'],
  [
    'is asked under two Hosts',
    web({}, { liveness: probe({ hostHeaders: ['django-ray.localhost', 'x'] }) }),
    'failed probes.probe-host',
  ],
  ['does not allow the Host', web({ allowedHosts: ['localhost'] }), 'failed probes.allowed-hosts'],
  ['allows every Host', web({ allowedHosts: ['django-ray.localhost', '*'] }), 'failed probes.allowed-hosts'],
  ['allows a whole domain', web({ allowedHosts: ['django-ray.localhost', '.example'] }), 'failed probes.allowed-hosts'],
  ['has a Service without a selector', web({ serviceSelector: {} }), 'failed probes.service-selector'],
  ['has a Service for other pods', web({ serviceSelector: { app: 'x' } }), 'failed probes.service-selector'],
];

describe('web as it is declared', () => {
  test.each(rows)('when it %s', (_, facts, verdict) => {
    const result = judgeWebDeclared(facts, labels);
    expect(result.kind === 'ready' ? 'ready' : `${result.kind} ${result.code}`).toBe(verdict);
  });

  test('a failure names the probe and what it does', () => {
    expect(judgeWebDeclared(web({}, { liveness: probe({ hostHeaders: ['x'] }) }), labels)).toEqual({
      kind: 'failed',
      code: 'probes.probe-host',
      detail: "Web's liveness probe sends the Host [x] instead of django-ray.localhost.",
    });
  });
});

describe('reading web', () => {
  const read = (container: object) =>
    readWebFacts(
      anObject({ spec: { template: { spec: { containers: [{ name: 'django-web', ...container }] } } } }),
      anObject({ data: { DJANGO_ALLOWED_HOSTS: 'a, b,,' } }),
      anObject({ spec: { selector: { app: 'x' } } }),
    );

  test('finds Host headers whatever the case of their name', () => {
    const httpHeaders = [
      { name: 'hOST', value: 'a' },
      { name: 'X', value: 'b' },
    ];
    expect(read({ readinessProbe: { httpGet: { path: '/p', httpHeaders } } }).probes.readiness).toEqual({
      path: '/p',
      scheme: 'HTTP',
      host: '',
      hostHeaders: ['a'],
    });
  });

  test('takes a probe that is no HTTP GET for none', () => {
    expect(read({ startupProbe: { exec: {} } })).toMatchObject({
      probes: { startup: undefined, readiness: undefined },
      hasStartupProbe: true,
      allowedHosts: ['a', 'b'],
      serviceSelector: { app: 'x' },
    });
  });

  test('looks at the container of web, not at a sidecar', () => {
    expect(read({ name: 'sidecar', readinessProbe: { httpGet: {} } }).probes.readiness).toBeUndefined();
  });
});
