import { type ScalarTag, stringify, type Tags } from 'yaml';

/**
 * A value as YAML 1.1, which is what kubectl and Helm read: `on`, `0755` and `<<` get their quotes, no line is folded, nothing
 * is an alias. Keys stay in the order given; the text ends with a newline.
 */
export function yamlText(value: unknown): string {
  return stringify(value, options);
}

const mergeTag = 'tag:yaml.org,2002:merge';

// The library writes a key that is the text `<<` plain, and every 1.1 reader then takes its value for a map to merge. A tag that
// only matches the text, and that no value is ever written as, makes the library quote it.
const textOfMerge: ScalarTag = {
  tag: mergeTag,
  default: true,
  test: /^<<$/,
  identify: () => false,
  resolve: (text) => text,
};

const quotingMerge = (tags: Tags): Tags => [...tags.filter((tag) => !isMerge(tag)), textOfMerge];

const isMerge = (tag: Tags[number]) => (typeof tag === 'string' ? tag === 'merge' : tag.tag === mergeTag);

const options = {
  version: '1.1',
  lineWidth: 0,
  aliasDuplicateObjects: false,
  directives: false,
  merge: false,
  customTags: quotingMerge,
} as const;
