import type { Manifest } from '../plannedObject.js';
import { yamlText } from '../yamlText.js';

/**
 * Objects as one YAML stream in the order given. The same objects give the same bytes on every machine: keys sorted, except
 * that apiVersion, kind and metadata come first; LF; no line folding, no aliases; a final newline.
 */
export function renderYaml(objects: readonly { readonly manifest: Manifest }[]): string {
  return objects.map(({ manifest }) => `---\n${yamlText(ordered(manifest))}`).join('');
}

const first = ['apiVersion', 'kind', 'metadata'];

function ordered(manifest: Manifest): Manifest {
  const rest = Object.keys(manifest).filter((key) => !first.includes(key));
  const keys = [...first.filter((key) => key in manifest), ...rest.sort()];
  return Object.fromEntries(keys.map((key) => [key, sorted(manifest[key])]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child)]));
}
