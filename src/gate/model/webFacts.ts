import type { KubeObject } from '../../cluster/objects.js';
import { asList, asRecord, asText, asTextMap, at } from './json.js';
import { webDeploymentName } from './kinds.js';

export const configMapName = 'django-ray-config';
export const webServiceName = 'django-web-svc';
export const healthPath = '/api/health';
/** What the kubelet must send as Host header: Django refuses a pod's address. */
export const webHost = 'django-ray.localhost';

/** One HTTP probe of the web container, as the live Deployment has it. */
export interface HttpProbeFacts {
  readonly path: string;
  readonly scheme: string;
  /** Where the kubelet asks instead of the pod; empty as it must be. */
  readonly host: string;
  /** Values of all Host headers, whatever the case of their name. */
  readonly hostHeaders: readonly string[];
}

export interface WebFacts {
  /** Undefined: none, or one that is not HTTP. */
  readonly probes: Readonly<Record<'startup' | 'readiness' | 'liveness', HttpProbeFacts | undefined>>;
  /** A startup probe may be left out, but not be of another kind. */
  readonly hasStartupProbe: boolean;
  readonly allowedHosts: readonly string[];
  readonly serviceSelector: Readonly<Record<string, string>>;
}

/** The web Deployment, the application's ConfigMap and web's Service, as they are. */
export function readWebFacts(deployment: KubeObject, configMap: KubeObject, service: KubeObject): WebFacts {
  const containers = asList(at(deployment['spec'], 'template', 'spec', 'containers')).map(asRecord);
  const web = containers.find((container) => container['name'] === webDeploymentName) ?? {};
  const hosts = asTextMap(configMap['data'])['DJANGO_ALLOWED_HOSTS'] ?? '';
  return {
    probes: {
      startup: readHttpProbe(web['startupProbe']),
      readiness: readHttpProbe(web['readinessProbe']),
      liveness: readHttpProbe(web['livenessProbe']),
    },
    hasStartupProbe: web['startupProbe'] !== undefined,
    allowedHosts: hosts
      .split(',')
      .map((host) => host.trim())
      .filter((host) => host !== ''),
    serviceSelector: asTextMap(at(service['spec'], 'selector')),
  };
}

function readHttpProbe(probe: unknown): HttpProbeFacts | undefined {
  const get = at(probe, 'httpGet');
  if (get === undefined) return undefined;
  const headers = asList(at(get, 'httpHeaders')).map(asRecord);
  return {
    path: asText(at(get, 'path')),
    scheme: asText(at(get, 'scheme')) || 'HTTP',
    host: asText(at(get, 'host')),
    hostHeaders: headers
      .filter((header) => asText(header['name']).toLowerCase() === 'host')
      .map((header) => asText(header['value'])),
  };
}
