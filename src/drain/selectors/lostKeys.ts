import { holds, type Labels, type Selector, selects } from './labelSelector.js';

/**
 * Labels that a selector needs and that would be lost: keys of the requirements that hold for the labels `before` and no more for those
 * `after`. Empty when it does not select `before` (nothing is lost then), and when it selects `after` too.
 */
export function lostKeys(
  selector: Exclude<Selector, { kind: 'invalid' }>,
  before: Labels,
  after: Labels,
): readonly string[] {
  if (selector.kind === 'nothing' || !selects(selector, before) || selects(selector, after)) return [];
  const lost = selector.requirements.filter((each) => !holds(each, after)).map((each) => each.key);
  return [...new Set(lost)].sort();
}
