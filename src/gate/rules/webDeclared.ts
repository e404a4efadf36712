import { failed, ready, type Verdict } from '../../core/verdict.js';
import { healthPath, type WebFacts, webHost, webServiceName } from '../model/webFacts.js';
import { satisfies } from './deploymentConverged.js';

/** What the live objects say of web's probes and of who may ask it; `podLabels` are those that every web pod has. */
export function judgeWebDeclared(
  web: WebFacts,
  podLabels: Readonly<Record<string, string>>,
): Verdict<{ readonly path: string; readonly host: string }> {
  const names = ['readiness', 'liveness', ...(web.hasStartupProbe ? (['startup'] as const) : [])] as const;
  for (const name of names) {
    const probe = web.probes[name];
    const fault = (code: string, detail: string) => failed(`probes.${code}`, `Web's ${name} probe ${detail}.`);
    if (probe === undefined) return fault('no-http-probe', `is no HTTP GET of ${healthPath}`);
    if (probe.path !== healthPath) return fault('probe-path', `asks "${probe.path}" instead of ${healthPath}`);
    if (probe.scheme !== 'HTTP') return fault('probe-scheme', `asks by ${probe.scheme} instead of HTTP`);
    if (probe.host !== '') return fault('probe-elsewhere', `asks the host ${probe.host} instead of its pod`);
    if (probe.hostHeaders.length !== 1 || probe.hostHeaders[0] !== webHost) {
      return fault('probe-host', `sends the Host [${probe.hostHeaders.join(', ')}] instead of ${webHost}`);
    }
  }
  const { allowedHosts } = web;
  if (!allowedHosts.includes(webHost)) {
    return failed('probes.allowed-hosts', `DJANGO_ALLOWED_HOSTS is [${allowedHosts.join(', ')}], without ${webHost}.`);
  }
  const open = allowedHosts.find((host) => host.startsWith('*') || host.startsWith('.'));
  if (open !== undefined) {
    return failed('probes.allowed-hosts', `DJANGO_ALLOWED_HOSTS holds "${open}", which lets unnamed hosts in.`);
  }
  const selector = web.serviceSelector;
  if (Object.keys(selector).length === 0 || !satisfies(podLabels, selector)) {
    const pairs = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
    return failed(
      'probes.service-selector',
      `Service ${webServiceName} selects [${pairs.join(', ')}], not web's pods.`,
    );
  }
  return ready({ path: healthPath, host: webHost });
}
