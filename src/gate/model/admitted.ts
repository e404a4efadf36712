import { canonicalJson } from './canonicalJson.js';
import { asList, asRecord, asText, at, type Json } from './json.js';
import { without } from './podDefaults.js';

/**
 * What the API server's own admission and the scheduler put into a pod (1.35, default plug-ins): Priority, DefaultTolerationSeconds,
 * ServiceAccount, the binding. Each is taken out only where it is literally what they put in.
 */
const admittedFields = { priority: 0, preemptionPolicy: 'PreemptLowerPriority' } as const;

const admittedTolerations = ['not-ready', 'unreachable'].map((taint) => ({
  effect: 'NoExecute',
  key: `node.kubernetes.io/${taint}`,
  operator: 'Exists',
  tolerationSeconds: 300,
}));

const tokenFolder = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Of ServiceAccount admission, its default mode left out; 3607 s marks a token that it asked for. */
const tokenVolume = {
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
  },
} as const;

/** The spec of a pod, server defaults already gone, without what admission and the scheduler put in. */
export function withoutAdmitted(spec: Json): Json {
  const { nodeName: _, tolerations, ...rest } = without(spec, admittedFields);
  const own = asList(tolerations).filter((one) => !admittedTolerations.some((known) => equal(known, one)));
  const result = { ...rest, ...(own.length === 0 ? {} : { tolerations: own }) };
  return spec['automountServiceAccountToken'] === false ? result : withoutToken(result);
}

function withoutToken(spec: Json): Json {
  const volumes = asList(spec['volumes']).map(asRecord);
  const token = volumes.find(
    ({ name, ...source }) => /^kube-api-access-[a-z0-9]{5}$/.test(asText(name)) && equal(source, tokenVolume),
  );
  if (token === undefined) return spec;
  const mount = { mountPath: tokenFolder, name: token['name'], readOnly: true };
  const unmounted = (container: Json): Json => {
    const left = asList(container['volumeMounts']).filter((one) => !equal(one, mount));
    const { volumeMounts: _, ...rest } = container;
    return left.length === 0 ? rest : { ...rest, volumeMounts: left };
  };
  const listed = (key: string, items: readonly Json[]) => (items.length === 0 ? {} : { [key]: items });
  const { volumes: _, ...rest } = spec;
  return {
    ...rest,
    ...listed('initContainers', asList(at(spec, 'initContainers')).map(asRecord).map(unmounted)),
    ...listed('containers', asList(at(spec, 'containers')).map(asRecord).map(unmounted)),
    ...listed(
      'volumes',
      volumes.filter((one) => one !== token),
    ),
  };
}

function equal(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
