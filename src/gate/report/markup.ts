import { visibleText } from './visibleText.js';

/** Text of HTML or XML that is markup already. Only {@link markup} makes one. */
export class Markup {
  constructor(readonly text: string) {}
}

export type MarkupValue = string | number | Markup | readonly MarkupValue[] | undefined;

/**
 * A template of HTML or XML: whatever is put into it is escaped, for text and for attributes in double quotes alike, unless it is
 * markup itself. Lists are joined; `undefined` is nothing.
 */
export function markup(literals: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return new Markup(literals.reduce((text, literal, at) => text + rendered(values[at - 1]) + literal));
}

function rendered(value: MarkupValue): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number') return String(value);
  return value.map(rendered).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
