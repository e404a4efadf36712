import type { LabPaths } from '../paths.js';
import type { Daemon } from '../process/daemon.js';

export interface Health {
  readonly healthy: boolean;
  /** One line: what it serves when healthy, what is wrong when not. */
  readonly why: string;
}

/** What every component is made from. `binary` gives a built program's path; `fingerprints` of certificates make holders restart when they change. */
export interface LabContext {
  readonly paths: LabPaths;
  binary(name: string): string;
  /** Content of each certificate folder's file, by name: part of the fingerprint of whoever reads it. */
  readonly materialVersion: string;
}

/** One process of the lab: how it is started, how it is known to be healthy, and what must be healthy before. */
export interface Component {
  readonly name: ComponentName;
  readonly after: readonly ComponentName[];
  readonly daemon: Daemon;
  /** Seconds from its start until it must be healthy. */
  readonly startLimitSeconds: number;
  probe(): Promise<Health>;
}

export const componentNames = [
  'containerd',
  'dockerd',
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
] as const;

export type ComponentName = (typeof componentNames)[number];

/** The environment of every component: nothing of the caller's but where programs are found. */
export function daemonEnvironment(extra: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/nonexistent',
    LANG: 'C.UTF-8',
    ...extra,
  };
}
