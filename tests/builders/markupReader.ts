export type Token =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

const tag = /^<(\/?)([A-Za-z][\w-]*)((?:\s+[\w-]+(?:="[^"<]*")?)*)\s*(\/?)>/;
const reference = /&(?:amp|lt|gt|quot|#39);/g;
const decodedReferences: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Reads HTML or XML as strictly as either allows; throws where a parser could see something else than what was meant. */
export function readMarkup(source: string): readonly Token[] {
  const tokens: Token[] = [];
  const rest = source.replace(/^<\?xml[^<>]*\?>|^<!doctype html>/, '');
  for (let at = 0; at < rest.length; ) {
    if (rest[at] !== '<') {
      const end = rest.indexOf('<', at);
      const text = rest.slice(at, end < 0 ? undefined : end);
      tokens.push({ kind: 'text', text: decode(text) });
      at += text.length;
      continue;
    }
    const match = tag.exec(rest.slice(at, at + 20_000));
    if (!match) throw new Error(`no tag at "${rest.slice(at, at + 60)}"`);
    const [whole, slash, name = '', attributes = '', ended] = match;
    at += whole.length;
    tokens.push(slash ? { kind: 'close', name } : { kind: 'open', name, attributes: readAttributes(attributes) });
    if (ended) tokens.push({ kind: 'close', name });
    if (name !== 'style' || slash) continue;
    const end = rest.indexOf('</style>', at);
    tokens.push({ kind: 'text', text: rest.slice(at, end) });
    at = end;
  }
  return tokens;
}

const voidElements = new Set(['meta', 'br', 'link', 'img']);

/** Throws unless every element is closed in its order. Elements that HTML never closes are passed over. */
export function expectNested(tokens: readonly Token[]): void {
  const open: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'text' || (token.kind === 'open' && voidElements.has(token.name))) continue;
    if (token.kind === 'open') open.push(token.name);
    else if (open.pop() !== token.name) throw new Error(`</${token.name}> closes something else`);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is not closed`);
}

function readAttributes(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, decode(value)]));
}

function decode(text: string): string {
  if (text.replace(reference, '').includes('&')) throw new Error(`a bare & in "${text.slice(0, 60)}"`);
  return text.replace(reference, (found) => decodedReferences[found] ?? found);
}
