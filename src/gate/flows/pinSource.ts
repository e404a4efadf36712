import { createHash } from 'node:crypto';
import { GateError } from '../../core/gateError.js';
import { readCommitted, readSource, type SourceIdentity } from '../../host/git.js';
import { sha256Of } from '../model/canonicalJson.js';
import type { ImagePlan, ReleasePlan } from '../model/plan.js';

export interface PinnedSource {
  readonly source: SourceIdentity;
  readonly release: ReleasePlan;
}

export interface PinSourceOptions {
  readonly projectFolder: string;
  /** Repositories of the application's and the legacy image. */
  readonly repositories: { readonly app: string; readonly legacy: string };
  readonly commandSeconds: number;
}

const lockFile = 'app/requirements.lock';

/**
 * Captures what is committed, and names the release after it: the tag carries the tree and the other build inputs, the archive's
 * name the tree and the lock. Nothing but git is asked.
 */
export async function pinSource(options: PinSourceOptions): Promise<PinnedSource> {
  const reading = await readSource(options.projectFolder, options.commandSeconds);
  if (!reading.ok)
    throw new GateError({
      layer: 'preflight',
      code: `preflight.${reading.problem.code}`,
      message: reading.problem.detail,
    });
  const { source } = reading;
  const lock = await readCommitted(source, lockFile, options.commandSeconds);
  if (lock === undefined) {
    throw new GateError({
      layer: 'preflight',
      code: 'preflight.source.lock',
      message: `The commit lacks "${lockFile}".`,
    });
  }
  const images = {
    app: { dockerfile: 'app/Dockerfile', contextFolder: 'app' },
    legacy: { dockerfile: 'app/Dockerfile.ray', contextFolder: 'app' },
  };
  // What decides about an image's content and is not in the tree. A change of how images are built belongs here.
  const buildInputsSha256 = sha256Of({ format: 1, images, provenance: false });
  const tree12 = source.tree.slice(0, 12);
  const tag = `local-gate-tree-${tree12}-${buildInputsSha256.slice(0, 8)}`;
  const image = (name: 'app' | 'legacy'): ImagePlan => ({
    reference: `${options.repositories[name]}:${tag}`,
    ...images[name],
  });
  const lock12 = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  return {
    source,
    release: {
      tag,
      buildInputsSha256,
      app: image('app'),
      legacy: image('legacy'),
      archiveUri: `file:///runtime-env/django-ray-source-${tree12}-${lock12}.zip`,
    },
  };
}
