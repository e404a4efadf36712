import type { Manifest } from '../../plannedObject.js';
import { renderYaml } from '../yaml.js';

/** A place in an object where the chart's values go in. */
export type Opening =
  /** The scalar at a path becomes `{{ expression }}`. */
  | { readonly at: readonly (string | number)[]; readonly expression: string }
  /** What stands at a path, whole, becomes the object that the expression gives. */
  | { readonly at: readonly (string | number)[]; readonly object: string }
  /** Every occurrence of a text, in whatever scalar it stands, becomes `{{ expression }}`. */
  | { readonly text: string; readonly expression: string };

/**
 * One object as a template. An opening whose path leads nowhere, or whose text is not found, is left out: the caller gives
 * those that fit the object. Braces that the object itself holds are kept from Helm.
 */
export function renderTemplate(manifest: Manifest, openings: readonly Opening[]): string {
  const copy = structuredClone(manifest) as Record<string, unknown>;
  const marked: { readonly marker: string; readonly opening: Opening }[] = [];
  for (const [index, opening] of openings.entries()) {
    const marker = `raygate-opening-${index}-`;
    if ('at' in opening && !setAt(copy, opening.at, marker)) continue;
    marked.push({ marker, opening });
  }
  let text = renderYaml([{ manifest: copy }]).replaceAll('{{', '{{ "{{" }}');
  for (const { marker, opening } of marked) {
    if ('text' in opening) text = openText(text, opening);
    else if ('expression' in opening) text = text.replace(marker, `{{ ${opening.expression} }}`);
    else
      text = text.replace(objectLine(marker), (_, indent: string, key: string) => block(indent, key, opening.object));
  }
  return text;
}

/** A scalar that is the text and nothing else is quoted: the value that comes in its place may look like a number. */
function openText(template: string, { text, expression }: { readonly text: string; readonly expression: string }) {
  return template.replaceAll(`: ${text}\n`, `: {{ ${expression} | quote }}\n`).replaceAll(text, `{{ ${expression} }}`);
}

function objectLine(marker: string): RegExp {
  return new RegExp(`^( *(?:- )*)([^\\n:]+): ${marker}$`, 'm');
}

function block(indent: string, key: string, expression: string): string {
  return `${indent}${key}: {{- toYaml ${expression} | nindent ${indent.length + 2} }}`;
}

/** False when the path leads nowhere. */
function setAt(root: unknown, path: readonly (string | number)[], value: string): boolean {
  const last = path.at(-1) as string | number;
  let node = root;
  for (const step of path.slice(0, -1)) node = (node as Record<string | number, unknown> | undefined)?.[step];
  if (typeof node !== 'object' || node === null || !(last in node)) return false;
  (node as Record<string | number, unknown>)[last] = value;
  return true;
}
