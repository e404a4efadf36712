import type { KindRef, KubeObject } from '../../cluster/objects.js';
import { GateError } from '../../core/gateError.js';
import { asList, asRecord, asText, at } from '../model/json.js';
import { gateNamespace, kinds } from '../model/kinds.js';
import type { PlannedManifest } from '../model/plan.js';
import { judgeStorage, type StorageFacts } from '../rules/storage.js';
import { type PersistOptions, readUntilAnswered } from './persist.js';

const defaultAnnotation = 'storageclass.kubernetes.io/is-default-class';
const localPathNamespace = 'local-path-storage';

/** Refuses storage that cannot serve the plan's claims: its pods would wait for ever. Returns what is not known of it. Reads only. */
export async function checkStorage(
  objects: readonly PlannedManifest[],
  persist: PersistOptions,
): Promise<readonly string[]> {
  const claims = objects.filter((object) => object.manifest['kind'] === 'PersistentVolumeClaim');
  if (claims.length === 0) return [];
  const verdict = judgeStorage(await readStorage(claims, persist));
  if (verdict.kind === 'ready') return verdict.facts.notes;
  throw new GateError({ layer: 'preflight', code: verdict.code, message: verdict.detail });
}

async function readStorage(claims: readonly PlannedManifest[], persist: PersistOptions): Promise<StorageFacts> {
  const list = async (kind: KindRef, namespace?: string): Promise<readonly KubeObject[]> => {
    const read = () => persist.cluster.list(kind, namespace === undefined ? {} : { namespace });
    return (await readUntilAnswered(`${kind.kind} list`, read, persist))?.items ?? [];
  };
  const [classes, live, nodes, settings] = await Promise.all([
    list(kinds.storageClass),
    list(kinds.claim, gateNamespace),
    list(kinds.node),
    list(kinds.configMap, localPathNamespace),
  ]);
  // Of several defaults Kubernetes takes the newest.
  const standard = classes
    .filter(({ metadata }) => metadata.annotations?.[defaultAnnotation] === 'true')
    .sort((a, b) => (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''))[0];
  return {
    claims: claims.map(({ manifest }) => claimFacts(manifest, live)),
    defaultClass: standard && { name: standard.metadata.name, provisioner: asText(standard['provisioner']) },
    sharedLocalPath: settings.some((configMap) => hasSharedFolder(asText(at(configMap['data'], 'config.json')))),
    nodes: nodes.length,
  };
}

function claimFacts(manifest: PlannedManifest['manifest'], live: readonly KubeObject[]) {
  const name = asText(at(manifest, 'metadata', 'name'));
  const accessModes = asList(at(manifest, 'spec', 'accessModes')).map(asText);
  const claim = live.find(({ metadata }) => metadata.name === name);
  const given = asList(at(claim?.['status'], 'accessModes')).map(asText);
  const bound = at(claim?.['status'], 'phase') === 'Bound' && accessModes.every((mode) => given.includes(mode));
  return { name, accessModes, bound };
}

function hasSharedFolder(text: string): boolean {
  try {
    return asText(asRecord(JSON.parse(text))['sharedFileSystemPath']) !== '';
  } catch {
    return false;
  }
}
