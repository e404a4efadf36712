/**
 * The full form of an image reference, as a container runtime reports it: no slash means Docker Hub's library, a first part
 * that is no host means Docker Hub. Undefined for what is no reference (white space, a URL).
 */
export function normaliseImage(reference: string): string | undefined {
  if (reference === '' || /\s/.test(reference) || reference.includes('://')) return undefined;
  const slash = reference.indexOf('/');
  if (slash < 0) return `docker.io/library/${reference}`;
  const first = reference.slice(0, slash);
  return first.includes('.') || first.includes(':') || first === 'localhost' ? reference : `docker.io/${reference}`;
}

/** The full form without tag and digest: `docker.io/library/django-ray`. */
export function repositoryOf(reference: string): string | undefined {
  return normaliseImage(reference)
    ?.replace(/@[^@/]*$/, '')
    .replace(/:[^:/]*$/, '');
}

/** The digest at the end of a runtime's image ID (`docker://`, `containerd://`, `repository@`, or bare); undefined if none. */
export function digestOfImageId(imageId: string): string | undefined {
  return /(?:^|[/@])(sha256:[0-9a-f]{64})$/.exec(imageId)?.[1];
}
