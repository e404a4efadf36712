import { absent, found, type Outcome, unreadable } from '../core/outcome.js';
import { type Api, parseJson, statusOf, unreadableFrom } from './api.js';
import type { ListOptions, LogOptions, ObjectList } from './cluster.js';
import { decodeObjectText, decodePage } from './decode.js';
import type { Discovery } from './discovery.js';
import { type KindRef, type KubeObject, kindName, type ObjectRef, objectName } from './objects.js';
import { collectionPath, objectPath, segment, withQuery } from './paths.js';
import type { ServedKind, ServedKinds } from './servedKind.js';
import type { HttpAnswer } from './transport.js';

const defaultPageSize = 500;
const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const mostRestarts = 5;
const largestLogBytes = 1_048_576;

export async function getObject(api: Api, discovery: Discovery, ref: ObjectRef): Promise<Outcome<KubeObject>> {
  return readServed(api, discovery, ref, `get ${objectName(ref)}`, async (served, send) => {
    const answer = await send(objectPath(served, ref));
    if (answer.status !== 200) return answer;
    const object = decodeObjectText(answer.body);
    return object ? found(object) : unreadable(`get ${objectName(ref)}: the answer is not an object`, false);
  });
}

export async function listObjects(
  api: Api,
  discovery: Discovery,
  kind: KindRef,
  options: ListOptions = {},
): Promise<Outcome<ObjectList>> {
  const what = `list ${kindName(kind)}${options.namespace === undefined ? '' : ` in ${options.namespace}`}`;
  return readServed(api, discovery, kind, what, async (served, send) => {
    for (let restarts = 0; restarts <= mostRestarts; restarts++) {
      const pages = await readPages(send, collectionPath(served, kind, options.namespace), kind, options);
      if (pages === 'undecodable') return unreadable(`${what}: the answer is not a list`, false);
      if (pages !== 'expired') return pages;
    }
    return unreadable(`${what}: its pages expired ${mostRestarts + 1} times while they were read`, true);
  });
}

async function readPages(
  send: Send,
  path: string,
  kind: KindRef,
  options: ListOptions,
): Promise<Outcome<ObjectList> | HttpAnswer | 'expired' | 'undecodable'> {
  const { labelSelector, fieldSelector, pageSize: limit = defaultPageSize, atMost = Infinity } = options;
  const accept = options.metadataOnly ? metadataOnly : undefined;
  const items: KubeObject[] = [];
  let next = '';
  for (;;) {
    const answer = await send(withQuery(path, { labelSelector, fieldSelector, limit, continue: next }), accept);
    if (answer.status === 410) return 'expired';
    if (answer.status !== 200) return answer;
    const page = decodePage(answer.body, kind);
    if (!page) return 'undecodable';
    items.push(...page.items);
    const { resourceVersion } = page;
    if (page.next === '') return found({ items, resourceVersion });
    if (items.length >= atMost) return found({ items, resourceVersion, leftOut: page.remaining ?? 1 });
    next = page.next;
  }
}

export async function readLogs(api: Api, options: LogOptions): Promise<Outcome<string>> {
  const { namespace, pod, container, tailLines, previous } = options;
  const what = `logs of ${namespace}/${pod}/${container}`;
  try {
    const path = `/api/v1/namespaces/${segment(namespace)}/pods/${segment(pod)}/log`;
    const query = { container, tailLines, previous, limitBytes: largestLogBytes };
    const answer = await api.send({ method: 'GET', path: withQuery(path, query), accept: '*/*' });
    if (answer.status === 200) return found(answer.body);
    const status = statusOf(answer);
    if (answer.status === 404 && status?.reason === 'NotFound') return absent;
    // Kubernetes 1.35 answers 400 for these two and tells them apart by text alone.
    if (answer.status === 400 && /previous terminated container .* not found/.test(status?.message ?? ''))
      return absent;
    const failure = unreadableFrom(api.failure(what, answer));
    const starting = answer.status === 400 && /is waiting to start/.test(status?.message ?? '');
    return { ...failure, retryable: failure.retryable || starting };
  } catch (error) {
    return unreadableFrom(error);
  }
}

export async function readVersion(api: Api): Promise<Outcome<string>> {
  try {
    const answer = await api.send({ method: 'GET', path: '/version' });
    if (answer.status !== 200) return unreadableFrom(api.failure('version', answer));
    const version = (parseJson(answer.body) as { gitVersion?: unknown } | undefined)?.gitVersion;
    return typeof version === 'string' ? found(version) : unreadable('version: the answer names no gitVersion', false);
  } catch (error) {
    return unreadableFrom(error);
  }
}

export async function readServedKinds(discovery: Discovery): Promise<Outcome<ServedKinds>> {
  try {
    return found(await discovery.all());
  } catch (error) {
    return unreadableFrom(error);
  }
}

type Send = (path: string, accept?: string) => Promise<HttpAnswer>;

/**
 * Resolves a kind, reads, and judges an answer that is no success. A 404 is believed when the API itself says NotFound; one
 * that only its server says (the kind has gone since it was discovered) makes discovery ask again.
 */
async function readServed<T>(
  api: Api,
  discovery: Discovery,
  kind: KindRef,
  what: string,
  read: (served: ServedKind, send: Send) => Promise<Outcome<T> | HttpAnswer>,
): Promise<Outcome<T>> {
  try {
    const served = await discovery.resolve(kind);
    if (!served) return absent;
    const answer = await read(served, (path, accept) =>
      api.send({ method: 'GET', path, ...(accept !== undefined && { accept }) }),
    );
    if ('kind' in answer) return answer;
    if (answer.status !== 404) return unreadableFrom(api.failure(what, answer));
    if (statusOf(answer)?.reason === 'NotFound') return absent;
    discovery.forget(kind);
    if (!(await discovery.resolve(kind))) return absent;
    return unreadable(api.printable(`${what}: 404, although ${kindName(kind)} is served`), true);
  } catch (error) {
    return unreadableFrom(error);
  }
}
