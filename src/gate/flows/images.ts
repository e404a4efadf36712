import { join } from 'node:path';
import { GateError } from '../../core/gateError.js';
import { buildImage, inspectImage, loadIntoKind } from '../../host/docker.js';
import { readSource, unpackCommit } from '../../host/git.js';
import { withPrivateFolder } from '../../host/privateFolder.js';
import { isProcessFailure } from '../../host/process.js';
import type { Facts, ImageObservation } from '../model/observation.js';
import type { ImagePlan, RunPlan } from '../model/plan.js';
import { imageDigestsOf } from './imageDigestsCache.js';
import type { StepContext } from './stepContext.js';

export const imageLabels = {
  revision: 'org.opencontainers.image.revision',
  tree: 'org.opencontainers.image.source-tree',
  buildInputs: 'dev.raygate.build-inputs',
} as const;

/**
 * Builds the two images of the captured commit, or finds them: the tag says what they were made of, and their labels must say
 * the same. In a kind cluster the application's image is put into the nodes.
 */
export async function runImages(context: StepContext): Promise<Facts['images']> {
  const { plan } = context;
  const [app, legacy] = await Promise.all([findImage(plan, plan.release.app), findImage(plan, plan.release.legacy)]);
  const missing = [...(app ? [] : [plan.release.app]), ...(legacy ? [] : [plan.release.legacy])];
  if (missing.length > 0) await buildAll(context, missing);
  const images = {
    app: app ?? (await builtImage(plan, plan.release.app)),
    legacy: legacy ?? (await builtImage(plan, plan.release.legacy)),
  };
  const kind = /^kind-(.+)$/.exec(plan.kubeconfig.context)?.[1];
  if (kind === undefined) return images;
  context.progress(`loading ${plan.release.app.reference} into kind cluster ${kind}`);
  const seconds = plan.deadlines['images'] ?? 1200;
  await command('kind-load', () =>
    loadIntoKind(dockerOf(plan), kind, [plan.release.app.reference], seconds, (line) => context.progress(line)),
  );
  return { ...images, loadedInto: kind };
}

async function buildAll(context: StepContext, missing: readonly ImagePlan[]): Promise<void> {
  const { plan } = context;
  const now = await readSource(plan.source.root, commandSeconds(plan));
  if (!now.ok) throw imageError('source-changed', now.problem.detail);
  if (now.source.tree !== plan.source.tree) {
    throw imageError(
      'source-changed',
      `HEAD moved from tree ${plan.source.tree.slice(0, 12)} to ${now.source.tree.slice(0, 12)}: run again.`,
    );
  }
  await withPrivateFolder(async (folder) => {
    const files = missing.map((image) => image.dockerfile);
    await command('archive', () => unpackCommit(plan.source, folder, files, commandSeconds(plan)));
    for (const image of missing) {
      context.progress(`building ${image.reference}`);
      await command('build-failed', () =>
        buildImage(dockerOf(plan), {
          reference: image.reference,
          contextFolder: join(folder, image.contextFolder),
          dockerfile: join(folder, image.dockerfile),
          labels: {
            [imageLabels.revision]: plan.source.commit,
            [imageLabels.tree]: plan.source.tree,
            [imageLabels.buildInputs]: plan.release.buildInputsSha256,
          },
          timeoutSeconds: plan.deadlines['images'] ?? 1200,
          onLine: (line) => progressOfBuild(context, image, line),
        }),
      );
    }
  });
}

/** Of BuildKit's plain output only the lines that begin a step of the Dockerfile. */
function progressOfBuild(context: StepContext, image: ImagePlan, line: string): void {
  const step = /^#\d+ (\[[^\]]*\d+\/\d+\] .*)$/.exec(line)?.[1];
  if (step !== undefined) context.progress(`building ${image.reference}: ${step.slice(0, 120)}`);
}

async function findImage(plan: RunPlan, image: ImagePlan): Promise<ImageObservation | undefined> {
  const inspected = await command('inspect', () => inspectImage(dockerOf(plan), image.reference, commandSeconds(plan)));
  if (inspected === undefined || labelProblem(plan, image, inspected.labels) !== undefined) return undefined;
  const digests = await command('inspect', () => imageDigestsOf(plan, image.reference, inspected.id));
  if (labelProblem(plan, image, digests.configLabels) !== undefined) return undefined;
  return { ...inspected, ...digests, built: false };
}

async function builtImage(plan: RunPlan, image: ImagePlan): Promise<ImageObservation> {
  const inspected = await command('inspect', () => inspectImage(dockerOf(plan), image.reference, commandSeconds(plan)));
  if (inspected === undefined)
    throw imageError('absent', `The image ${image.reference} was built but Docker does not have it.`);
  const problem = labelProblem(plan, image, inspected.labels);
  if (problem !== undefined) throw imageError('labels', problem);
  if (!inspected.tags.includes(image.reference)) {
    throw imageError('tag', `The image ${image.reference} has the tags ${inspected.tags.join(', ')} only.`);
  }
  const digests = await command('inspect', () => imageDigestsOf(plan, image.reference, inspected.id));
  const inside = labelProblem(plan, image, digests.configLabels);
  if (inside !== undefined) throw imageError('labels', inside);
  return { ...inspected, ...digests, built: true };
}

/** The commit may differ: a message-only amend leaves the tree, and the tree is what was built. */
export function wantedLabels({ source, release }: RunPlan): Readonly<Record<string, string>> {
  return { [imageLabels.tree]: source.tree, [imageLabels.buildInputs]: release.buildInputsSha256 };
}

function labelProblem(plan: RunPlan, image: ImagePlan, labels: Readonly<Record<string, string>>): string | undefined {
  const wrong = Object.entries(wantedLabels(plan)).find(([key, value]) => labels[key] !== value);
  return (
    wrong && `The image ${image.reference} has the label ${wrong[0]}="${labels[wrong[0]] ?? ''}", not "${wrong[1]}".`
  );
}

async function command<T>(code: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (isProcessFailure(error))
      throw imageError(diskFull(error.output) ? 'disk-full' : code, hint(error.message, error.output));
    throw imageError(code, error instanceof Error ? error.message : String(error));
  }
}

function diskFull(output: string): boolean {
  return /no space left on device/i.test(output);
}

function hint(message: string, output: string): string {
  return diskFull(output)
    ? 'No space is left on the disk of Docker: free some (docker system df shows what uses it), then run again.'
    : message;
}

function imageError(code: string, message: string): GateError {
  return new GateError({ layer: 'images', code: `images.${code}`, message });
}

export function dockerOf(plan: RunPlan) {
  return { host: plan.docker.host, configFolder: plan.docker.configFolder };
}

function commandSeconds(plan: RunPlan): number {
  return plan.deadlines['command'] ?? 120;
}
