import { createHash } from 'node:crypto';

/** The three names one image has, under the classic store and under containerd's, and what its configuration says of it. */
export interface ImageDigests {
  /** Digest of the OCI index that the tag names; undefined when the tag names a manifest or a config directly. */
  readonly index: string | undefined;
  /** Digest of the platform's manifest; undefined under the classic store, which keeps none. */
  readonly manifest: string | undefined;
  /** Digest of the image's configuration: what containerd's CRI reports as a pod's image ID. */
  readonly config: string;
  /** Labels as they stand in that configuration: they belong to the content, whatever a tag says later. */
  readonly configLabels: Readonly<Record<string, string>>;
}

interface Descriptor {
  readonly mediaType?: string;
  readonly digest?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Configuration {
  readonly config?: { readonly Labels?: Readonly<Record<string, string>> | null };
}

const digestPattern = /^sha256:[0-9a-f]{64}$/;

/**
 * Resolves index -> manifest -> config from the small files of one `docker save` stream. The config is the one that
 * `manifest.json` names (the daemon's own choice of platform); the manifest is the one that refers to that config. Each file
 * that is believed must have the digest that names it.
 * @throws Error when the stream holds no such chain
 */
export function resolveImageDigests(files: ReadonlyMap<string, Buffer>, reference: string): ImageDigests {
  const fail = (what: string): never => {
    throw new Error(`The saved image "${reference}" ${what}: build or pull it again.`);
  };
  const json = <T>(content: Buffer | undefined): T | undefined =>
    content === undefined ? undefined : (JSON.parse(content.toString('utf8')) as T);
  const blob = <T>(digest: string, path = `blobs/${digest.replace(':', '/')}`): T | undefined => {
    const content = files.get(path);
    if (content !== undefined && sha256(content) !== digest) fail(`holds another content under ${digest}`);
    return json<T>(content);
  };
  const archives = json<{ Config?: string }[]>(files.get('manifest.json')) ?? fail('has no manifest.json');
  const configPath = archives[0]?.Config ?? '';
  const config = configDigest(configPath) ?? fail('names no configuration');
  const configuration = blob<Configuration>(config, configPath) ?? fail(`lacks its configuration ${config}`);
  const layout = json<{ manifests?: Descriptor[] }>(files.get('index.json'));
  let found: { index: string | undefined; manifest: string } | undefined;
  const visit = (descriptor: Descriptor, index: string | undefined): void => {
    const { digest } = descriptor;
    if (found || digest === undefined || !digestPattern.test(digest)) return;
    const content = blob<{ manifests?: Descriptor[]; config?: Descriptor }>(digest);
    if (content?.config?.digest === config) found = { index, manifest: digest };
    for (const child of content?.manifests ?? []) visit(child, index ?? digest);
  };
  for (const descriptor of layout?.manifests ?? []) visit(descriptor, undefined);
  const configLabels = configuration.config?.Labels ?? {};
  return { index: found?.index, manifest: found?.manifest, config, configLabels };
}

/** `blobs/sha256/<hex>` (OCI layout) or `<hex>.json` (classic). */
function configDigest(path: string): string | undefined {
  const hex = /^(?:blobs\/sha256\/)?([0-9a-f]{64})(?:\.json)?$/.exec(path)?.[1];
  return hex === undefined ? undefined : `sha256:${hex}`;
}

function sha256(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
