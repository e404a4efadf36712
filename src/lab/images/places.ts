import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the project that holds the Dockerfiles, seen from the compiled file and from the source alike. */
const root = join(__dirname, '..', '..', '..', 'lab', 'images');

/** A file or folder below `lab/images`. */
export function imageFolder(path: string): string {
  return join(root, path);
}

export function readImageFile(path: string): Promise<string> {
  return readFile(imageFolder(path), 'utf8');
}

/**
 * The moment that every file and image of the lab claims to be from, so that the same inputs give the same digests:
 * 2026-01-01T00:00:00Z.
 */
export const buildEpochSeconds = 1_767_225_600;

const inherited = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** The whole environment of a tool that makes part of an image: a plain PATH, the machine's proxies, and `chosen`. */
export function toolEnvironment(chosen: Readonly<Record<string, string>>): Record<string, string> {
  const proxies = inherited.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    LANG: 'C.UTF-8',
    ...Object.fromEntries(proxies),
    ...chosen,
  };
}
