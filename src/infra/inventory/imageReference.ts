export interface ImageReference {
  readonly repository: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

const pattern =
  /^(?<repository>(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d+)?\/)?[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*)(?::(?<tag>[A-Za-z0-9_][A-Za-z0-9._-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/;

/** Tags that are moved to newer images by custom. */
const floatingTags = new Set([
  'latest',
  'stable',
  'edge',
  'nightly',
  'main',
  'master',
  'dev',
  'develop',
  'head',
  'canary',
]);

/** Reads an image reference, or undefined when it is none. */
export function parseImageReference(text: string): ImageReference | undefined {
  const groups = pattern.exec(text)?.groups;
  if (!groups) return undefined;
  return { repository: groups['repository'] ?? '', tag: groups['tag'], digest: groups['digest'] };
}

/** Whether the same reference may mean another image tomorrow, as far as its name says. */
export function isFloating(reference: ImageReference): boolean {
  if (reference.digest !== undefined) return false;
  return reference.tag === undefined || floatingTags.has(reference.tag.toLowerCase());
}
