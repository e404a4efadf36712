/** Weakest first. */
export const gateAnswers = ['not applicable', 'recommended', 'required'] as const;
export type GateAnswer = (typeof gateAnswers)[number];

/** Weakest first. */
export const restartAnswers = ['skip', 'required'] as const;
export type RestartAnswer = (typeof restartAnswers)[number];

export interface TriggerRow {
  readonly row: number;
  readonly touches: string;
  readonly gate: GateAnswer;
  /** Whether Ray must start cold in that run. */
  readonly rayRestart: RestartAnswer;
  readonly reason: string;
  /** Patterns of this repository's own paths; the most exact one that fits a path, of whichever row, decides it. */
  readonly paths: readonly string[];
}

/**
 * What a change needs to have been proven. Where two answers are possible, the row gives the stronger: rows 6 and 7 stand twice,
 * with and without the Ray boundary.
 */
export const triggerRows: readonly TriggerRow[] = [
  {
    row: 1,
    touches: 'only the workspace controller: its API, rules, access and manifests',
    gate: 'not applicable',
    rayRestart: 'skip',
    reason: 'it has its own namespace, manifests and lab tests, and must not touch this stack',
    paths: [
      'src/api/**',
      'src/workspace/**',
      'src/infra/charts/controller.ts',
      'src/infra/constructs/controller*.ts',
      'src/infra/constructs/policyRules.ts',
      'src/infra/constructs/systemNamespace.ts',
      'src/infra/constructs/workspace*.ts',
      'src/infra/render/helm/controllerChart.ts',
    ],
  },
  {
    row: 2,
    touches: 'status page, templates, static collection, web image, entrypoint',
    gate: 'required',
    rayRestart: 'skip',
    reason: 'the very page and image are live, and what is protected answers',
    paths: [
      'app/Dockerfile',
      'app/Dockerfile.dockerignore',
      'app/docker-entrypoint.sh',
      'app/testproject/manage.py',
      'app/testproject/testproject/templates/**',
      'app/testproject/testproject/wsgi.py',
    ],
  },
  {
    row: 3,
    touches: 'Dockerfile.ray, package or RuntimeEnv contents, the archive and how it is built, delivered dependencies',
    gate: 'required',
    rayRestart: 'required',
    reason: 'the new archive must reach new interpreters that lack django_ray',
    paths: [
      'app/Dockerfile.ray',
      'app/Dockerfile.ray.dockerignore',
      'app/lock',
      'app/pyproject.toml',
      'app/requirements.lock',
      'app/requirements.node.lock',
      'app/src/**',
      'app/testproject/**',
      'src/infra/constructs/runtimeEnvClaim.ts',
    ],
  },
  {
    row: 4,
    touches:
      'submission, cancellation, results, lifecycle across components; the gate and what it sees the cluster with',
    gate: 'required',
    rayRestart: 'required',
    reason: 'a fresh Ray session and fresh managers with a durable result; a changed gate proves itself on one',
    paths: [
      'app/testproject/testproject/api/enqueue.py',
      'app/testproject/testproject/api/executions.py',
      'app/testproject/testproject/tasks.py',
      'src/cluster/**',
      'src/core/**',
      'src/drain/**',
      'src/gate/**',
      'src/host/**',
      'src/infra/deploy/**',
      'src/infra/program.ts',
    ],
  },
  {
    row: 5,
    touches: 'RayCluster, Ray services, volumes and environment of Ray pods, Ray metrics',
    gate: 'required',
    rayRestart: 'required',
    reason: 'the pods that are tested must be cold replacements',
    paths: [
      'lab/images/ray/**',
      'lab/toolchain/kuberay/**',
      'src/infra/constructs/dashboardImportScript.ts',
      'src/infra/constructs/ray*.ts',
      'src/infra/imports/**',
      'src/infra/profiles.ts',
      'src/infra/images.ts',
      'src/infra/versions.ts',
    ],
  },
  {
    row: 6,
    touches: 'application resources shared with Ray pods, or the RuntimeEnv mount',
    gate: 'required',
    rayRestart: 'required',
    reason: 'rendering, rollout, probes, access and scraping are proven together, on cold Ray pods',
    paths: [
      'src/infra/charts/**',
      'src/infra/constructs/hardening.ts',
      'src/infra/constructs/plannedApiObject.ts',
      'src/infra/constructs/resourceRequirements.ts',
      'src/infra/names.ts',
      'src/infra/ports.ts',
    ],
  },
  {
    row: 6,
    touches:
      'application resources, setup Job, Deployments, probes, Secret, ConfigMap, access, Services, Prometheus, Grafana',
    gate: 'required',
    rayRestart: 'skip',
    reason: 'rendering, rollout, probes, access and scraping are proven together',
    paths: ['Pulumi.yaml', 'src/cli/credentials.ts', 'src/infra/**', 'stacks/**'],
  },
  {
    row: 7,
    touches: 'task managers that submit to the cluster, their image and settings',
    gate: 'required',
    rayRestart: 'required',
    reason: 'every manager reconnects and consumes real work',
    paths: [
      'app/testproject/testproject/environment.py',
      'app/testproject/testproject/settings.py',
      'src/infra/constructs/applicationPod.ts',
      'src/infra/constructs/taskManager.ts',
    ],
  },
  {
    row: 7,
    touches: 'what a task manager waits for before it polls',
    gate: 'required',
    rayRestart: 'skip',
    reason: 'every manager reconnects and consumes real work',
    paths: ['src/infra/constructs/waitForPort.ts'],
  },
  {
    row: 8,
    touches: "dependencies of the program and of the lab's parts",
    gate: 'recommended',
    rayRestart: 'skip',
    reason: 'integration drifts where focused tests do not look',
    paths: ['.npmrc', '.nvmrc', 'lab/images/**', 'lab/toolchain/**', 'package-lock.json', 'package.json'],
  },
  {
    row: 9,
    touches: 'the program without effect on containers, Kubernetes, RuntimeEnv, HTTP, managers or lifecycle',
    gate: 'recommended',
    rayRestart: 'skip',
    reason: "CI's own tests come first; before a release the gate comes on top",
    paths: ['bin/**', 'scripts/**', 'src/cli/**', 'src/lab/**', 'tsconfig.json'],
  },
  {
    row: 10,
    touches: 'documentation, policy, comments, tests, and what is rendered from sources that have a row of their own',
    gate: 'not applicable',
    rayRestart: 'skip',
    reason: 'nothing of it is deployed',
    paths: [
      '*.md',
      '.ci/**',
      '.gitignore',
      'LICENSE',
      'app/README.md',
      'app/requirements.test.lock',
      'app/run-tests',
      'app/tests/**',
      'biome.json',
      'config/**',
      'docs/**',
      'lab/images/README.md',
      'lab/toolchain/helm/**',
      'lab/toolchain/kustomize/**',
      'manifests/**',
      'tests/**',
    ],
  },
];
