/** The three names one image has, under the classic store and under containerd's. */
export interface ImageDigests {
  /** Digest of the OCI index that the tag names; undefined when the tag names a manifest or a config directly. */
  readonly index: string | undefined;
  /** Digest of the platform's manifest; undefined under the classic store, which keeps none. */
  readonly manifest: string | undefined;
  /** Digest of the image's configuration: what containerd's CRI reports as a pod's image ID. */
  readonly config: string;
}

interface Descriptor {
  readonly mediaType?: string;
  readonly digest?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

const digestPattern = /^sha256:[0-9a-f]{64}$/;

/**
 * Resolves index -> manifest -> config from the small files of one `docker save` stream. The config is the one that
 * `manifest.json` names (the daemon's own choice of platform); the manifest is the one that refers to that config.
 * @throws Error when the stream holds no such chain
 */
export function resolveImageDigests(files: ReadonlyMap<string, Buffer>, reference: string): ImageDigests {
  const fail = (what: string): never => {
    throw new Error(`The saved image "${reference}" ${what}: build it again.`);
  };
  const json = <T>(name: string): T | undefined => {
    const content = files.get(name);
    return content === undefined ? undefined : (JSON.parse(content.toString('utf8')) as T);
  };
  const archives = json<{ Config?: string }[]>('manifest.json') ?? fail('has no manifest.json');
  const config = configDigest(archives[0]?.Config) ?? fail('names no configuration');
  const blob = <T>(digest: string) => json<T>(`blobs/${digest.replace(':', '/')}`);
  const layout = json<{ manifests?: Descriptor[] }>('index.json');
  let found: { index: string | undefined; manifest: string } | undefined;
  const visit = (descriptor: Descriptor, index: string | undefined): void => {
    const { digest } = descriptor;
    if (found || digest === undefined || !digestPattern.test(digest)) return;
    const content = blob<{ manifests?: Descriptor[]; config?: Descriptor }>(digest);
    if (content?.config?.digest === config) found = { index, manifest: digest };
    for (const child of content?.manifests ?? []) visit(child, index ?? digest);
  };
  for (const descriptor of layout?.manifests ?? []) visit(descriptor, undefined);
  return { index: found?.index, manifest: found?.manifest, config };
}

/** `blobs/sha256/<hex>` (OCI layout) or `<hex>.json` (classic). */
function configDigest(path: string | undefined): string | undefined {
  const hex = /^(?:blobs\/sha256\/)?([0-9a-f]{64})(?:\.json)?$/.exec(path ?? '')?.[1];
  return hex === undefined ? undefined : `sha256:${hex}`;
}
