import type { LabPaths } from '../paths.js';
import { coredns } from './coredns.js';
import { localPath } from './localPath.js';
import type { Operator } from './operator.js';
import { kuberay, kueue, upstreamOperator } from './upstream.js';

export type OperatorName = 'coredns' | 'local-path' | 'kuberay' | 'kueue';

/** The images that the lab's own workloads run from, made by the lab under these references. */
const images = {
  coredns: 'coredns/coredns:1.14.3',
  localPath: 'rancher/local-path-provisioner:v0.0.30',
  helper: 'busybox:1.36',
  kuberay: 'kuberay/operator:v1.6.2',
  kueue: 'kueue/kueue:v0.17.0',
} as const;

export async function operatorsOf(
  names: readonly OperatorName[],
  options: { readonly paths: LabPaths; readonly kubectl: string },
): Promise<readonly Operator[]> {
  const upstream = { cacheFolder: options.paths.cacheFolder, kubectl: options.kubectl };
  const makers: Record<OperatorName, () => Operator | Promise<Operator>> = {
    coredns: () => coredns(images.coredns),
    'local-path': () =>
      localPath({ image: images.localPath, helperImage: images.helper, folder: options.paths.storageFolder }),
    kuberay: () => upstreamOperator(kuberay, { ...upstream, image: images.kuberay }),
    kueue: () => upstreamOperator(kueue, { ...upstream, image: images.kueue }),
  };
  return Promise.all(names.map((name) => makers[name]()));
}
