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
import type { OwnApiServer } from './support/ownApiServer.js';
import { serveRayClusters } from './support/rayClusterCrd.js';
import { startedApiServer } from './support/realKubeconfig.js';

const fieldManager = 'raygate-contract';

let folder: string;
let server: OwnApiServer;
let cluster: Cluster;

beforeAll(async () => {
  // Always a server of our own: on a cluster where the stack lies, a Job of another release cannot be changed.
  server = await startedApiServer();
  folder = await mkdtemp(join(tmpdir(), 'raygate-contract-'));
  const snapshot = await takeSnapshot({ kubeconfigPath: server.kubeconfigPath, directory: folder });
  cluster = await openCluster(snapshot);
  await cluster.waitReachable(deadlineIn(60));
  await serveRayClusters(cluster);
  // A server-side dry run of what lies in a namespace needs the namespace.
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'django-ray' } }, { fieldManager });
});

afterAll(async () => {
  await cluster?.close();
  await rm(folder, { recursive: true, force: true });
  await server?.close();
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
