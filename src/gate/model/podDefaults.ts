import { canonicalJson } from './canonicalJson.js';
import { asList, asRecord, asText, at, type Json } from './json.js';
import { canonicalQuantity } from './quantity.js';

/**
 * What an API server 1.35 fills in where a pod spec is silent (pkg/apis/core/v1/defaults.go), and the zero values that it drops. Nothing
 * else may differ between a planned pod spec and a live one; each entry is taken out on both sides.
 */
export const serverDefaults = {
  spec: {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    enableServiceLinks: true,
    serviceAccountName: 'default',
    securityContext: {},
    hostNetwork: false,
    hostPID: false,
    hostIPC: false,
  },
  container: {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    // Of every tag but `latest`, which no plan may name.
    imagePullPolicy: 'IfNotPresent',
    resources: {},
    securityContext: {},
    stdin: false,
    stdinOnce: false,
    tty: false,
  },
  port: { protocol: 'TCP', hostPort: 0 },
  environment: { value: '' },
  fieldReference: { apiVersion: 'v1' },
  volumeMount: { readOnly: false },
  probe: { initialDelaySeconds: 0, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  httpGet: { path: '/', scheme: 'HTTP' },
  /** 0644 in octal. */
  fileVolume: { defaultMode: 420 },
  claimVolume: { readOnly: false },
  hostPathVolume: { type: '' },
  tokenProjection: { expirationSeconds: 3600 },
} as const;

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** A pod spec without what the server says by itself, quantities in one form: equal specs give equal values. */
export function withoutServerDefaults(spec: Json): Json {
  const { serviceAccount, ...rest } = spec;
  const account = asText(spec['serviceAccountName']) || 'default';
  // The server writes the account's name under its old name too.
  const named = serviceAccount === undefined || serviceAccount === account ? rest : spec;
  return pruned({
    ...without(named, serverDefaults.spec),
    ...mapped(spec, 'initContainers', container),
    ...mapped(spec, 'containers', container),
    ...mapped(spec, 'volumes', volume),
  });
}

function container(value: Json): Json {
  const result: Record<string, unknown> = {
    ...value,
    ...mapped(value, 'ports', (port) => without(port, serverDefaults.port)),
    ...mapped(value, 'env', environment),
    ...mapped(value, 'volumeMounts', (mount) => without(mount, serverDefaults.volumeMount)),
  };
  if (value['resources'] !== undefined) result['resources'] = resources(asRecord(value['resources']));
  for (const name of probes) {
    if (value[name] !== undefined) result[name] = probe(asRecord(value[name]));
  }
  return without(pruned(result), serverDefaults.container);
}

function environment(value: Json): Json {
  const reference = at(value, 'valueFrom', 'fieldRef');
  if (reference === undefined) return without(value, serverDefaults.environment);
  return { ...value, valueFrom: { fieldRef: without(asRecord(reference), serverDefaults.fieldReference) } };
}

function probe(value: Json): Json {
  const request = value['httpGet'];
  const bare = without(value, serverDefaults.probe);
  return request === undefined ? bare : { ...bare, httpGet: without(asRecord(request), serverDefaults.httpGet) };
}

/** A request that says nothing is the limit. */
function resources(value: Json): Json {
  const amounts = (key: string) =>
    Object.fromEntries(Object.entries(asRecord(value[key])).map(([name, of]) => [name, canonicalQuantity(of)]));
  const [limits, requests] = [amounts('limits'), amounts('requests')];
  const own = Object.fromEntries(Object.entries(requests).filter(([name, amount]) => limits[name] !== amount));
  const { limits: _, requests: __, ...rest } = value;
  const given = (key: string, amount: Json) => (Object.keys(amount).length === 0 ? {} : { [key]: amount });
  return { ...rest, ...given('limits', limits), ...given('requests', own) };
}

function volume(value: Json): Json {
  const result: Record<string, unknown> = { ...value };
  const strip = (key: string, defaults: Json) => {
    if (value[key] !== undefined) result[key] = without(asRecord(value[key]), defaults);
  };
  for (const key of ['configMap', 'secret', 'downwardAPI', 'projected']) strip(key, serverDefaults.fileVolume);
  strip('persistentVolumeClaim', serverDefaults.claimVolume);
  strip('hostPath', serverDefaults.hostPathVolume);
  const limit = at(value, 'emptyDir', 'sizeLimit');
  if (limit !== undefined) result['emptyDir'] = { ...asRecord(value['emptyDir']), sizeLimit: canonicalQuantity(limit) };
  const projected = asRecord(result['projected']);
  if (projected['sources'] !== undefined)
    result['projected'] = { ...projected, ...mapped(projected, 'sources', source) };
  return result;
}

function source(value: Json): Json {
  const token = value['serviceAccountToken'];
  return token === undefined
    ? value
    : { ...value, serviceAccountToken: without(asRecord(token), serverDefaults.tokenProjection) };
}

/** The record without the entries that the defaults have with the same value. */
export function without(value: Json, defaults: Json): Json {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([key, inner]) => !(Object.hasOwn(defaults, key) && canonicalJson(defaults[key]) === canonicalJson(inner)),
    ),
  );
}

/** An empty list says what no list says. */
function pruned(value: Json): Json {
  return Object.fromEntries(
    Object.entries(value).filter(([, inner]) => inner !== null && !(Array.isArray(inner) && inner.length === 0)),
  );
}

function mapped(value: Json, key: string, map: (item: Json) => Json): Json {
  const items = value[key];
  return items === undefined || items === null ? {} : { [key]: asList(items).map((item) => map(asRecord(item))) };
}
