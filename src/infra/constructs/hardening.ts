import type { PodSpec, SecurityContext } from '../imports/kubernetes.js';

/** User ids of the images, as upstream sets them up. */
export const userIds = {
  /** `nobody`, in busybox and Prometheus. */
  nobody: 65534,
  /** `django` of the application's image. */
  application: 1000,
  /** `ray` of rayproject/ray; the dashboard importer shares its files. */
  ray: 1000,
  /** `postgres` of the Debian-based postgres image. */
  postgres: 999,
  grafana: 472,
  /** `node` of the official Node images. */
  controller: 1000,
} as const;

/** Group of user `ray` of rayproject/ray; elsewhere a user's group has the user's number. */
export const rayGroupId = 100;

/**
 * The walls of a pod: its processes are never root, own the group of its volumes and run under the runtime's seccomp profile; it
 * holds no service-account token; and it gets no variables that name the namespace's Services (Ray reads every `RAY_…`, and
 * `ray-head-svc` would give it some). Default group: the number of the user.
 */
export function isolatedPod(
  userId: number,
  groupId: number = userId,
): Pick<PodSpec, 'automountServiceAccountToken' | 'enableServiceLinks' | 'securityContext'> {
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: userId,
      runAsGroup: groupId,
      fsGroup: groupId,
      seccompProfile: { type: 'RuntimeDefault' },
    },
  };
}

/** A container without privileges or capabilities. Its root file system is read-only; what it writes has a volume. */
export const sealedContainer: SecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
};

/** The same for an image that writes in places of its own choice: Ray unpacks and compiles below its home folder. */
export const unprivilegedContainer: SecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
};
