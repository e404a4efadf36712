import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { openCluster } from '../../src/cluster/client.js';
import type { Cluster } from '../../src/cluster/cluster.js';
import type { KubeObject } from '../../src/cluster/objects.js';
import { takeSnapshot } from '../../src/cluster/snapshot.js';
import { deadlineIn } from '../../src/core/deadline.js';
import { synthOverlay } from '../../src/infra/charts/overlay.js';
import { profileNames } from '../../src/infra/profiles.js';
import { placeholderArchiveUri, placeholderReleaseTag, placeholderSourceTree } from '../../src/infra/releaseTag.js';
import { renderYaml } from '../../src/infra/render/yaml.js';
import { serveRayClusters } from './support/rayClusterCrd.js';
import { type RealCluster, realKubeconfig } from './support/realKubeconfig.js';

const fieldManager = 'raygate-contract';
const namespace = { apiVersion: 'v1', kind: 'Namespace', name: 'django-ray' };

let folder: string;
let real: RealCluster;
let cluster: Cluster;
let madeNamespace = false;

beforeAll(async () => {
  real = await realKubeconfig();
  folder = await mkdtemp(join(tmpdir(), 'raygate-contract-'));
  const snapshot = await takeSnapshot({ kubeconfigPath: real.path, directory: folder });
  cluster = await openCluster(snapshot);
  await cluster.waitReachable(deadlineIn(60));
  await serveRayClusters(cluster);
  // A server-side dry run of what lies in a namespace needs the namespace.
  if ((await cluster.get(namespace)).kind === 'absent') {
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace.name } }, { fieldManager });
    madeNamespace = true;
  }
});

afterAll(async () => {
  if (madeNamespace) await cluster.remove(namespace);
  await cluster?.close();
  await rm(folder, { recursive: true, force: true });
  await real?.release();
});

/** Validation is strict: an unknown or a doubled field is an error. */
describe.each(profileNames)('the API server takes every object of profile %s', (profile) => {
  const objects = synthOverlay({
    profile,
    releaseTag: placeholderReleaseTag,
    sourceTree: placeholderSourceTree,
    archiveUri: placeholderArchiveUri,
    runtimeEnvAccess: 'RWX',
  });
  const rendered = parseAllDocuments(renderYaml(objects), { version: '1.1' }).map((document) => document.toJS());

  it.each(objects.map((object, index) => ({ identity: object.identity, manifest: rendered[index] as KubeObject })))(
    '$identity',
    async ({ manifest }) => {
      const answer = await cluster.apply(manifest, { fieldManager, force: true, dryRun: true });
      expect(answer.metadata.name).toBe(manifest.metadata.name);
    },
  );
});
