/** Kubernetes quantities: CPU in cores or millicores (`m`), memory in `Mi` or `Gi`. */
export interface Resources {
  readonly cpuRequest: string;
  readonly memoryRequest: string;
  readonly cpuLimit: string;
  readonly memoryLimit: string;
}

export const profileNames = ['full', 'lean', 'lab'] as const;
export type ProfileName = (typeof profileNames)[number];

/** How much of everything a deployment gets. */
export interface Profile {
  /** Pods of the default task manager. */
  readonly defaultManagers: number;
  readonly rayWorkers: number;
  /** Tasks that one manager pod runs at a time, by pool. */
  readonly concurrency: { readonly default: number; readonly sync: number; readonly ml: number };
  readonly resources: {
    readonly application: Resources;
    readonly postgres: Resources;
    readonly prometheus: Resources;
    readonly grafana: Resources;
    readonly rayHead: Resources;
    readonly rayWorker: Resources;
    readonly dashboardImporter: Resources;
    /** Init containers that only wait for a port. */
    readonly wait: Resources;
  };
}

function resources(cpuRequest: string, memoryRequest: string, cpuLimit: string, memoryLimit: string): Resources {
  return { cpuRequest, memoryRequest, cpuLimit, memoryLimit };
}

const ordinary = resources('100m', '256Mi', '500m', '512Mi');

const full: Profile = {
  defaultManagers: 2,
  rayWorkers: 4,
  concurrency: { default: 40, sync: 20, ml: 20 },
  resources: {
    application: ordinary,
    postgres: ordinary,
    prometheus: ordinary,
    grafana: resources('50m', '128Mi', '200m', '256Mi'),
    rayHead: resources('500m', '1Gi', '2', '2Gi'),
    rayWorker: resources('1', '1Gi', '2', '3Gi'),
    dashboardImporter: resources('50m', '64Mi', '100m', '128Mi'),
    wait: resources('10m', '16Mi', '100m', '32Mi'),
  },
};

const lean: Profile = { ...full, defaultManagers: 1, rayWorkers: 2 };

/**
 * The counts of `full` on one node of 2 cores: all requests together stay below 1 core and 4 GiB, so that the node also holds
 * its DNS, storage and operator. CPU limits are the node's own, since a Python process that starts under half a core
 * outlasts its probes. Requests are also weights: the head has the most, since Ray 2.60.0 gives up on a worker that gets no answer
 * from it within 30 s. Memory limits follow measurements of Ray 2.60.0: the head needs 1.1 GB, 150 MB for each connected
 * manager and 120 MB for each worker process; a manager 150 MB and its probe another 100 MB.
 */
const lab: Profile = {
  ...full,
  concurrency: { default: 4, sync: 4, ml: 4 },
  resources: {
    application: resources('30m', '160Mi', '2', '512Mi'),
    postgres: resources('30m', '64Mi', '2', '512Mi'),
    prometheus: resources('20m', '64Mi', '1', '512Mi'),
    grafana: resources('10m', '32Mi', '500m', '256Mi'),
    rayHead: resources('400m', '1Gi', '2', '3Gi'),
    rayWorker: resources('50m', '384Mi', '2', '2Gi'),
    dashboardImporter: resources('5m', '16Mi', '200m', '128Mi'),
    wait: resources('5m', '8Mi', '200m', '32Mi'),
  },
};

export const profiles: Readonly<Record<ProfileName, Profile>> = { full, lean, lab };
