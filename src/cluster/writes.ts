import type { Api, ApiRequest } from './api.js';
import { statusOf } from './api.js';
import type { ApplyOptions, PatchOptions, RemoveOptions, WriteOptions } from './cluster.js';
import { ClusterError } from './clusterError.js';
import { decodeObjectText } from './decode.js';
import type { Discovery } from './discovery.js';
import { type KindRef, type KubeObject, kindName, type ObjectRef, objectName, refOf } from './objects.js';
import { collectionPath, objectPath, type Query, withQuery } from './paths.js';
import type { ServedKind } from './servedKind.js';

export async function createObject(
  api: Api,
  discovery: Discovery,
  object: KubeObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const ref = refOf(object);
  const served = await resolve(discovery, ref, 'create');
  // Refuses a missing namespace, and a name that is none, in the same words as every other request.
  objectPath(served, ref);
  return write(api, `create ${objectName(ref)}`, {
    method: 'POST',
    path: withQuery(collectionPath(served, ref, ref.namespace), writeQuery(options)),
    contentType: 'application/json',
    body: JSON.stringify(object),
  });
}

export async function applyObject(
  api: Api,
  discovery: Discovery,
  object: KubeObject,
  options: ApplyOptions,
): Promise<KubeObject> {
  const ref = refOf(object);
  const path = objectPath(await resolve(discovery, ref, 'apply'), ref);
  return write(api, `apply ${objectName(ref)}`, {
    method: 'PATCH',
    path: withQuery(path, { ...writeQuery(options), force: options.force ?? false }),
    // JSON is YAML.
    contentType: 'application/apply-patch+yaml',
    body: JSON.stringify(object),
  });
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

export async function patchObject(
  api: Api,
  discovery: Discovery,
  ref: ObjectRef,
  patch: Readonly<Record<string, unknown>>,
  options: PatchOptions,
): Promise<KubeObject> {
  const path = objectPath(await resolve(discovery, ref, 'patch'), ref, options.subresource);
  return write(api, `patch ${objectName(ref)}`, {
    method: 'PATCH',
    path: withQuery(path, writeQuery(options)),
    contentType: patchTypes[options.type],
    body: JSON.stringify(patch),
  });
}

export async function removeObject(
  api: Api,
  discovery: Discovery,
  ref: ObjectRef,
  options: RemoveOptions = {},
): Promise<'deleted' | 'absent'> {
  const served = await discovery.resolve(ref);
  if (!served) return 'absent';
  const path = objectPath(served, ref);
  const { uid, resourceVersion, propagation, dryRun } = options;
  const what = `delete ${objectName(ref)}`;
  const answer = await api.send({
    method: 'DELETE',
    path,
    contentType: 'application/json',
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...((uid ?? resourceVersion) !== undefined && { preconditions: { uid, resourceVersion } }),
      ...(propagation && { propagationPolicy: propagation }),
      ...(dryRun && { dryRun: ['All'] }),
    }),
  });
  if (answer.status === 200 || answer.status === 202) return 'deleted';
  if (answer.status === 404 && statusOf(answer)?.reason === 'NotFound') return 'absent';
  throw api.failure(what, answer);
}

/** Unknown and repeated fields are refused: a field that is dropped in silence is a deployment that nobody committed. */
function writeQuery({ fieldManager, dryRun }: WriteOptions): Query {
  return { fieldManager, fieldValidation: 'Strict', ...(dryRun && { dryRun: 'All' }) };
}

async function write(api: Api, what: string, request: ApiRequest): Promise<KubeObject> {
  const answer = await api.send(request);
  if (answer.status !== 200 && answer.status !== 201) throw api.failure(what, answer);
  const object = decodeObjectText(answer.body);
  if (object) return object;
  throw new ClusterError({
    code: 'undecodable',
    message: `${what}: the answer is not an object`,
    status: answer.status,
  });
}

async function resolve(discovery: Discovery, kind: KindRef, verb: string): Promise<ServedKind> {
  const served = await discovery.resolve(kind);
  if (served) return served;
  throw new ClusterError({
    code: 'unserved',
    message: `${verb}: the API server has no kind ${kindName(kind)}: install what brings it`,
  });
}
