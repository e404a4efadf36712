import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where the lab keeps things. One lab a machine:
 * - `cacheFolder`: built binaries and images, keyed by content; shared by clones, never wiped by `reset`.
 * - `stateFolder`: the cluster's state (etcd, certificates, claims, the image store) and the private kubeconfig.
 * - `runFolder`: sockets, process records, container state; may vanish with a reboot.
 */
export interface LabPaths {
  readonly cacheFolder: string;
  readonly binFolder: string;
  readonly imageFolder: string;
  readonly stateFolder: string;
  readonly pkiFolder: string;
  readonly configFolder: string;
  readonly logFolder: string;
  readonly etcdFolder: string;
  readonly containerdFolder: string;
  /** Its running tasks. */
  readonly containerdStateFolder: string;
  readonly dockerFolder: string;
  readonly dockerConfigFolder: string;
  readonly kubeletFolder: string;
  readonly storageFolder: string;
  readonly kubeconfig: string;
  readonly auditLog: string;
  /** Pulumi's home, backend and passphrase, apart from the user's own. */
  readonly pulumiFolder: string;
  /** Each stack's private folder: snapshot, run folders, evidence. */
  readonly stacksFolder: string;
  readonly runFolder: string;
  readonly processFolder: string;
  readonly containerdSocket: string;
  readonly dockerSocket: string;
  readonly ownerFile: string;
}

/** The stack that is deployed to the lab. */
export const labStack = 'lab';

type Environment = Readonly<Record<string, string | undefined>>;

/** `RAYGATE_CACHE`, `RAYGATE_STATE` and `RAYGATE_RUN` win over the XDG folders. */
export function labPaths(environment: Environment = process.env): LabPaths {
  const home = homedir();
  const cacheFolder =
    environment['RAYGATE_CACHE'] ?? join(environment['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'raygate');
  const root =
    environment['RAYGATE_STATE'] ?? join(environment['XDG_STATE_HOME'] ?? join(home, '.local', 'state'), 'raygate');
  const runFolder = environment['RAYGATE_RUN'] ?? '/run/raygate';
  const stateFolder = join(root, 'lab');
  return {
    cacheFolder,
    binFolder: join(cacheFolder, 'bin'),
    imageFolder: join(cacheFolder, 'images'),
    stateFolder,
    pkiFolder: join(stateFolder, 'pki'),
    configFolder: join(stateFolder, 'config'),
    logFolder: join(stateFolder, 'logs'),
    etcdFolder: join(stateFolder, 'etcd'),
    containerdFolder: join(stateFolder, 'containerd'),
    containerdStateFolder: join(runFolder, 'containerd'),
    dockerFolder: join(stateFolder, 'docker'),
    dockerConfigFolder: join(stateFolder, 'docker-config'),
    kubeletFolder: join(stateFolder, 'kubelet'),
    storageFolder: join(stateFolder, 'storage'),
    kubeconfig: join(stateFolder, 'kubeconfig'),
    auditLog: join(stateFolder, 'logs', 'audit.log'),
    pulumiFolder: join(root, 'pulumi'),
    stacksFolder: join(root, 'stacks'),
    runFolder,
    processFolder: join(runFolder, 'processes'),
    containerdSocket: join(runFolder, 'containerd.sock'),
    dockerSocket: join(runFolder, 'docker.sock'),
    ownerFile: join(runFolder, 'lab.json'),
  };
}
