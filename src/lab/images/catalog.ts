import type { RootFilesystemName } from './rootFilesystems.js';

export type ImageName =
  | 'busybox'
  | 'python'
  | 'ray'
  | 'postgres'
  | 'prometheus'
  | 'grafana'
  | 'pause'
  | 'coredns'
  | 'local-path-provisioner'
  | 'kuberay-operator'
  | 'kueue';

/** Something that a Dockerfile adds and that is made outside of Docker; `as` is its name beside the Dockerfile. */
export type ImageInput =
  | { readonly kind: 'root-file-system'; readonly name: RootFilesystemName; readonly as: string }
  /** The virtual environment of `requirements.lock`, made inside the root file system it will run in. */
  | { readonly kind: 'python-environment'; readonly on: RootFilesystemName; readonly as: string }
  /** The machine's certificate authorities and pip configuration. */
  | { readonly kind: 'machine-files'; readonly as: string }
  /** One C file of the image's folder, linked statically. */
  | { readonly kind: 'c-program'; readonly source: string; readonly as: string }
  /** A static binary of the lab's toolchain. */
  | { readonly kind: 'binary'; readonly name: string; readonly as: string };

export interface ImageDefinition {
  /** Exactly what the manifests ask for, so that `imagePullPolicy: IfNotPresent` finds it. */
  readonly reference: string;
  /** Images that its Dockerfile names in FROM. */
  readonly standsOn: readonly ImageName[];
  readonly inputs: readonly ImageInput[];
}

function ofBinary(reference: string, name: string): ImageDefinition {
  return { reference, standsOn: [], inputs: [{ kind: 'binary', name, as: name }] };
}

/** Every image of the lab; its Dockerfile is `lab/images/<name>/Dockerfile`. A definition follows those it stands on. */
export const images: Readonly<Record<ImageName, ImageDefinition>> = {
  pause: {
    reference: 'raygate-lab/pause:3.10',
    standsOn: [],
    inputs: [{ kind: 'c-program', source: 'pause.c', as: 'pause' }],
  },
  busybox: {
    reference: 'busybox:1.36',
    standsOn: [],
    inputs: [{ kind: 'root-file-system', name: 'busybox', as: 'rootfs.tar' }],
  },
  coredns: ofBinary('coredns/coredns:1.14.3', 'coredns'),
  'local-path-provisioner': ofBinary('rancher/local-path-provisioner:v0.0.30', 'local-path-provisioner'),
  'kuberay-operator': ofBinary('kuberay/operator:v1.6.2', 'kuberay-operator'),
  kueue: ofBinary('kueue/kueue:v0.17.0', 'kueue'),
  python: {
    reference: 'python:3.13-slim',
    standsOn: [],
    inputs: [
      { kind: 'root-file-system', name: 'python', as: 'rootfs.tar' },
      { kind: 'machine-files', as: 'machine' },
    ],
  },
  postgres: {
    reference: 'postgres:17',
    standsOn: [],
    inputs: [{ kind: 'root-file-system', name: 'postgres', as: 'rootfs.tar' }],
  },
  prometheus: {
    reference: 'prom/prometheus:v2.53.3',
    standsOn: ['busybox'],
    inputs: [{ kind: 'root-file-system', name: 'prometheus', as: 'rootfs.tar' }],
  },
  grafana: { reference: 'grafana/grafana:10.2.0', standsOn: ['python'], inputs: [] },
  ray: {
    reference: 'rayproject/ray:2.60.0-py313',
    standsOn: ['python'],
    inputs: [{ kind: 'python-environment', on: 'python', as: 'venv.tar' }],
  },
};

/** Kueue is built and loaded only where it is asked for. */
export const standardImages = (Object.keys(images) as ImageName[]).filter((name) => name !== 'kueue');

/** The named images and all that they stand on, each after what it stands on. */
export function withFoundations(names: readonly ImageName[]): readonly ImageName[] {
  const wanted = new Set<ImageName>();
  const add = (name: ImageName) => {
    for (const below of images[name].standsOn) add(below);
    wanted.add(name);
  };
  for (const name of names) add(name);
  return [...wanted];
}
