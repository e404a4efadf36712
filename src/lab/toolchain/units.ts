/** One `go build`: what it makes, from which module folder of `lab/toolchain`. */
export interface BuildUnit {
  readonly name: string;
  /** Folder under `lab/toolchain`, with its own go.mod. */
  readonly module: string;
  /** Package paths; `.` is the folder's own main. */
  readonly packages: readonly string[];
  /** Names of the built files: what Go calls them -> what the lab calls them. */
  readonly binaries: Readonly<Record<string, string>>;
  readonly linkerFlags?: readonly string[];
  readonly tags?: readonly string[];
  /** `PATTERN=FLAG` for the compiler, for packages of that pattern alone. */
  readonly compilerFlags?: readonly string[];
  /** Default: false, a static binary. */
  readonly cgo?: boolean;
  /** Files that the build needs beside go.mod, copied from a module of the graph (too large for the repository). */
  readonly embeds?: { readonly module: string; readonly files: readonly string[] };
}

const kubernetesVersion = '1.35.4';
export const pulumiCliVersion = '3.215.0';
/** The npm SDK that the provider commit is nearest to. */
export const kubernetesProviderVersion = '4.25.0';

const versionPackage = 'k8s.io/component-base/version';

function same(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, name]));
}

export const units = {
  kubernetes: {
    name: 'kubernetes',
    module: 'kubernetes',
    packages: [
      ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy', 'kubectl'].map(
        (tool) => `k8s.io/kubernetes/cmd/${tool}`,
      ),
      'go.etcd.io/etcd/server/v3',
    ],
    binaries: {
      ...same('kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy', 'kubectl'),
      server: 'etcd',
    },
    // Kubernetes refuses to compare versions when it was built without one.
    linkerFlags: [
      `-X ${versionPackage}.gitVersion=v${kubernetesVersion}`,
      `-X ${versionPackage}.gitMajor=1`,
      `-X ${versionPackage}.gitMinor=35`,
      `-X ${versionPackage}.gitTreeState=clean`,
    ],
  },
  docker: {
    name: 'docker',
    module: 'docker',
    packages: [
      'github.com/moby/moby/v2/cmd/dockerd',
      ...['containerd', 'containerd-shim-runc-v2', 'ctr'].map(
        (tool) => `github.com/containerd/containerd/v2/cmd/${tool}`,
      ),
    ],
    binaries: same('dockerd', 'containerd', 'containerd-shim-runc-v2', 'ctr'),
  },
  runc: {
    name: 'runc',
    module: 'runc',
    packages: ['github.com/opencontainers/runc'],
    binaries: same('runc'),
    tags: ['seccomp'],
    cgo: true,
  },
  buildx: {
    name: 'buildx',
    module: 'buildx',
    packages: ['github.com/docker/buildx/cmd/buildx', 'github.com/docker/cli/cmd/docker'],
    binaries: { buildx: 'docker-buildx', docker: 'docker' },
    // The Docker client has no go.mod, which would hold its source to the language of Go 1.16.
    compilerFlags: ['github.com/docker/cli/...=-lang=go1.24'],
    linkerFlags: ['-X github.com/docker/cli/cli/version.Version=29.8.2'],
  },
  coredns: {
    name: 'coredns',
    module: 'kubernetes',
    packages: ['github.com/coredns/coredns'],
    binaries: same('coredns'),
  },
  kuberay: {
    name: 'kuberay',
    module: 'kuberay',
    packages: ['github.com/ray-project/kuberay/ray-operator'],
    binaries: { 'ray-operator': 'kuberay-operator' },
  },
  localPath: {
    name: 'local-path',
    module: 'local-path',
    packages: ['github.com/rancher/local-path-provisioner'],
    binaries: same('local-path-provisioner'),
  },
  kueue: { name: 'kueue', module: 'kubernetes', packages: ['sigs.k8s.io/kueue/cmd/kueue'], binaries: same('kueue') },
  pulumiLanguage: {
    name: 'pulumi-language',
    module: 'pulumi-language',
    packages: ['github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs'],
    binaries: same('pulumi-language-nodejs'),
  },
  pulumi: {
    name: 'pulumi',
    module: 'pulumi',
    packages: ['github.com/pulumi/pulumi/pkg/v3/cmd/pulumi'],
    binaries: same('pulumi'),
    linkerFlags: [`-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${pulumiCliVersion}`],
  },
  pulumiKubernetes: {
    name: 'pulumi-kubernetes',
    module: 'pulumi',
    packages: ['.'],
    binaries: { pulumi: 'pulumi-resource-kubernetes' },
    linkerFlags: [`-X main.version=${kubernetesProviderVersion}`],
    embeds: {
      module: 'github.com/pulumi/pulumi-kubernetes/provider/v4',
      files: ['cmd/pulumi-resource-kubernetes/schema.json', 'cmd/pulumi-resource-kubernetes/terraform-mapping.json'],
    },
  },
} as const satisfies Record<string, BuildUnit>;

export type UnitName = keyof typeof units;

/** What a node needs before anything can run on it, in build order; the rest is built while the node comes up. */
export const nodeUnits: readonly UnitName[] = [
  'kubernetes',
  'docker',
  'runc',
  'buildx',
  'coredns',
  'localPath',
  'kuberay',
];
export const pulumiUnits: readonly UnitName[] = ['pulumiLanguage', 'pulumi', 'pulumiKubernetes'];
