import type { EnvFromSource, EnvVar } from '../imports/kubernetes.js';
import { names } from '../names.js';
import type { SecretKey } from '../secretKeys.js';

/** Plain values, in the order given. */
export function plainEnvironment(values: Readonly<Record<string, string | number>>): EnvVar[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
}

/** Keys of the one Secret under their own names: exactly those that the container uses. */
export function secretEnvironment(...keys: readonly SecretKey[]): EnvVar[] {
  return keys.map((key) => secretVariable(key, key));
}

/** One key of the Secret under the name that an image of others expects. */
export function secretVariable(name: string, key: SecretKey): EnvVar {
  return { name, valueFrom: { secretKeyRef: { name: names.secret, key } } };
}

/** The application's configuration as a whole. Not for Ray pods: their settings fall back when no database is named. */
export function configEnvironment(): EnvFromSource[] {
  return [{ configMapRef: { name: names.config } }];
}
