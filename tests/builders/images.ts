import type { PodIdentity } from '../../src/gate/model/identities.js';
import type { LocalImage } from '../../src/host/docker.js';

export const digestOf = (digit: string) => `sha256:${digit.repeat(64)}`;

/** An image that Docker has under one manifest: Id and manifest `d…`, configuration `c…`. */
export function localImage(reference: string, fields: Partial<LocalImage> = {}): LocalImage {
  return {
    reference,
    id: digestOf('d'),
    tags: [reference],
    repoDigests: [],
    labels: {},
    sizeBytes: 1,
    index: undefined,
    manifest: digestOf('d'),
    config: digestOf('c'),
    configLabels: {},
    ...fields,
  };
}

/** A pod of the one container `main`, which runs `imageDigest` under the reference that it asked for. */
export function podRunning(name: string, reference: string, imageDigest: string, image = reference): PodIdentity {
  const main = { name: 'main', reference, image, imageDigest };
  return { name, uid: `${name}-uid`, owner: '', initContainers: [], containers: [main], restarts: 0 };
}
