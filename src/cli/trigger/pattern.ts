/**
 * Whether a path fits a pattern: `**` stands for any text, `*` for any text without a slash, everything else for itself.
 */
export function fits(pattern: string, path: string): boolean {
  return expressionOf(pattern).test(path);
}

/** How exact a pattern is: the number of its characters that stand for themselves. */
export function exactness(pattern: string): number {
  return pattern.replaceAll('*', '').length;
}

const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known) return known;
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((part) => {
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      return part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&');
    })
    .join('');
  const expression = new RegExp(`^${source}$`, 's');
  expressions.set(pattern, expression);
  return expression;
}
