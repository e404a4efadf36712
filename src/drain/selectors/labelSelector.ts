import { labelKeyFault, labelValueFault } from './labelSyntax.js';

export type Labels = Readonly<Record<string, string>>;

/** One requirement of a selector; a pair of `matchLabels` is `In` with one value. */
export type Requirement =
  | { readonly key: string; readonly operator: 'In' | 'NotIn'; readonly values: readonly string[] }
  | { readonly key: string; readonly operator: 'Exists' | 'DoesNotExist' };

/** A selector as read. `nothing` is what an absent one selects; no requirements at all select everything. */
export type Selector =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'requirements'; readonly requirements: readonly Requirement[] }
  | { readonly kind: 'invalid'; readonly reason: string };

const invalid = (reason: string): Selector => ({ kind: 'invalid', reason });

/**
 * Reads a `metav1.LabelSelector` with the meaning and the refusals of apimachinery 0.35 (LabelSelectorAsSelector): null selects nothing, `{}`
 * everything, all requirements must hold. Unknown fields are ignored, as the API server's decoder does. Never throws.
 */
export function readSelector(value: unknown): Selector {
  if (value === undefined || value === null) return { kind: 'nothing' };
  if (!isRecord(value)) return invalid('the selector is no object');
  const { matchLabels = {}, matchExpressions = [] } = value;
  if (matchLabels !== null && !isRecord(matchLabels)) return invalid('matchLabels is no object');
  if (matchExpressions !== null && !Array.isArray(matchExpressions)) return invalid('matchExpressions is no list');
  const requirements: Requirement[] = [];
  for (const read of [
    ...Object.entries(matchLabels ?? {}).map(([key, label]) => readRequirement(key, 'In', [label])),
    ...(matchExpressions ?? []).map(readExpression),
  ]) {
    if (typeof read === 'string') return invalid(read);
    requirements.push(read);
  }
  return { kind: 'requirements', requirements };
}

function readExpression(value: unknown): Requirement | string {
  if (!isRecord(value)) return 'an expression is no object';
  const { key = '', operator = '', values } = value;
  if (typeof key !== 'string' || typeof operator !== 'string') return 'an expression’s key or operator is no text';
  if (values !== undefined && values !== null && !Array.isArray(values)) return `the values of ${operator} are no list`;
  return readRequirement(key, operator, values ?? []);
}

function readRequirement(key: string, operator: string, values: readonly unknown[]): Requirement | string {
  const fault = labelKeyFault(key);
  if (fault) return fault;
  const texts: string[] = [];
  for (const value of values) {
    if (typeof value !== 'string') return `a value of ${key} is no text`;
    const valueFault = labelValueFault(value);
    if (valueFault) return valueFault;
    texts.push(value);
  }
  switch (operator) {
    case 'In':
    case 'NotIn':
      return texts.length > 0 ? { key, operator, values: texts } : `${operator} on ${key} needs values`;
    case 'Exists':
    case 'DoesNotExist':
      return texts.length === 0 ? { key, operator } : `${operator} on ${key} takes no values`;
    default:
      return `"${operator}" is no operator of a label selector`;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether one requirement holds for the labels. */
export function holds(requirement: Requirement, labels: Labels): boolean {
  const { key, operator } = requirement;
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && requirement.values.includes(value);
    case 'NotIn':
      return value === undefined || !requirement.values.includes(value);
  }
}

/** Whether a valid selector selects the labels. */
export function selects(selector: Exclude<Selector, { kind: 'invalid' }>, labels: Labels): boolean {
  return selector.kind === 'requirements' && selector.requirements.every((each) => holds(each, labels));
}
