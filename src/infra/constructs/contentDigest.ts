import { createHash } from 'node:crypto';

/**
 * On a pod template: a change of configuration that the pods read only at their start rolls them. Kubernetes does not do
 * that by itself.
 */
export const configDigestAnnotation = 'raygate/config-sha256';

/** The first 16 hex digits of the SHA-256 of a ConfigMap's data; the order of its keys does not matter. */
export function contentDigest(data: Readonly<Record<string, string>>): string {
  const ordered = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(ordered)).digest('hex').slice(0, 16);
}
