// Writes src/infra/imports/kubernetes.ts: cdk8s types of the kinds that we deploy, with the generator behind `cdk8s import`.
//
//   node scripts/generate-imports.mjs [--check]
//
// Sources, all from the Go modules that the lab builds (lab/toolchain): Kubernetes' own OpenAPI document, the CRDs of KubeRay and Kueue.
// `cdk8s import` of the RayCluster CRD alone gives 53,802 lines, because the CRD inlines the whole pod template twice.
// Here inlined core types are replaced by references to the same types of Kubernetes, so that a pod template is one type
// wherever it stands. Only kinds of `kinds` and `customKinds` are emitted, with what they refer to, without `status`.
import { execFile } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);
const { TypeGenerator } = require('json2jsii');
const YAML = require('yaml');

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// By path, since the package exports only its command; the version is pinned in package.json.
const generator = join(root, 'node_modules/cdk8s-cli/lib/import');
const { generateConstruct, getPropsTypeName, getTypeName } = require(join(generator, 'codegen.js'));
const { parseApiTypeName, safeParseJsonSchema } = require(join(generator, 'k8s-util.js'));
const target = join(root, 'src/infra/imports/kubernetes.ts');

const kinds = [
  'io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicy',
  'io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBinding',
  'io.k8s.api.apps.v1.Deployment',
  'io.k8s.api.batch.v1.Job',
  'io.k8s.api.core.v1.ConfigMap',
  'io.k8s.api.core.v1.Namespace',
  'io.k8s.api.core.v1.PersistentVolumeClaim',
  'io.k8s.api.core.v1.Secret',
  'io.k8s.api.core.v1.Service',
  'io.k8s.api.core.v1.ServiceAccount',
  'io.k8s.api.networking.v1.Ingress',
  'io.k8s.api.rbac.v1.ClusterRole',
  'io.k8s.api.rbac.v1.ClusterRoleBinding',
  'io.k8s.api.rbac.v1.Role',
  'io.k8s.api.rbac.v1.RoleBinding',
];

const core = (name) => ({ $ref: `#/definitions/io.k8s.api.core.v1.${name}` });
const listOf = (items) => ({ type: 'array', items });

const env = (path) => [
  [`${path}.env`, listOf(core('EnvVar'))],
  [`${path}.envFrom`, listOf(core('EnvFromSource'))],
];
const ray = { toolchain: 'kuberay', module: 'github.com/ray-project/kuberay/ray-operator', folder: 'config/crd/bases' };
const kueue = { toolchain: 'kubernetes', module: 'sigs.k8s.io/kueue', folder: 'config/components/crd/bases' };

/** Kinds of CRDs, each with where its CRD inlines a core type: the path below `spec`, and the type. A path that is gone is an error. */
const customKinds = [
  {
    ...ray,
    file: 'ray.io_rayclusters.yaml',
    version: 'v1',
    inlined: [
      ['headGroupSpec.template', core('PodTemplateSpec')],
      ['headGroupSpec.headService', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
      ['workerGroupSpecs.[].template', core('PodTemplateSpec')],
      ...env('autoscalerOptions'),
      ['autoscalerOptions.resources', core('ResourceRequirements')],
      ['autoscalerOptions.securityContext', core('SecurityContext')],
      ['autoscalerOptions.volumeMounts', listOf(core('VolumeMount'))],
      ['gcsFaultToleranceOptions.redisUsername.valueFrom', core('EnvVarSource')],
      ['gcsFaultToleranceOptions.redisPassword.valueFrom', core('EnvVarSource')],
    ],
  },
  { ...kueue, file: 'kueue.x-k8s.io_clusterqueues.yaml', version: 'v1beta2', inlined: [] },
  { ...kueue, file: 'kueue.x-k8s.io_localqueues.yaml', version: 'v1beta2', inlined: [] },
  {
    ...kueue,
    file: 'kueue.x-k8s.io_resourceflavors.yaml',
    version: 'v1beta2',
    inlined: [
      ['nodeTaints', listOf(core('Taint'))],
      ['tolerations', listOf(core('Toleration'))],
    ],
  },
  {
    ...kueue,
    file: 'kueue.x-k8s.io_workloads.yaml',
    version: 'v1beta2',
    inlined: [['podSets.[].template', core('PodTemplateSpec')]],
  },
];

/** Downloads the module when Go's cache lacks it. */
async function moduleFolder(toolchain, module) {
  const cwd = join(root, 'lab/toolchain', toolchain);
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module], { cwd });
  const { Dir: folder, Version: version } = JSON.parse(stdout);
  return { folder, version };
}

function replaceInlined(schema, kind, inlined) {
  for (const [path, replacement] of inlined) {
    const steps = path.split('.');
    const last = steps.pop();
    let node = schema.properties.spec;
    for (const step of steps) node = step === '[]' ? node?.items : node?.properties?.[step];
    if (!node?.properties?.[last])
      throw new Error(`${kind} CRD has no spec.${path}: adapt "customKinds" in scripts/generate-imports.mjs`);
    node.properties[last] = replacement;
  }
}

async function customKind({ toolchain, module, folder, file, version, inlined }) {
  const { spec } = YAML.parse(
    await readFile(join((await moduleFolder(toolchain, module)).folder, folder, file), 'utf8'),
  );
  const { kind } = spec.names;
  const schema = spec.versions.find((v) => v.name === version)?.schema.openAPIV3Schema;
  if (!schema) throw new Error(`${file} of ${module} has no ${version}`);
  replaceInlined(schema, kind, inlined);
  schema.properties.metadata = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
  delete schema.properties.status;
  return { custom: false, fqn: kind, group: spec.group, version, kind, schema, prefix: 'Kube' };
}

async function generate() {
  const kubernetes = await moduleFolder('kubernetes', 'k8s.io/kubernetes');
  const sources = await Promise.all([ray, kueue].map((each) => moduleFolder(each.toolchain, each.module)));
  const document = JSON.parse(await readFile(join(kubernetes.folder, 'api/openapi-spec/swagger.json'), 'utf8'));
  const custom = await Promise.all(customKinds.map(customKind));
  const customSchemas = Object.fromEntries(custom.map(({ fqn, schema }) => [fqn, schema]));
  const { definitions } = safeParseJsonSchema(
    JSON.stringify({ definitions: { ...document.definitions, ...customSchemas } }),
  );
  // The document calls it a string of format int-or-string: a port number must stay a number.
  definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString'] = { oneOf: [{ type: 'number' }, { type: 'string' }] };
  const types = new TypeGenerator({
    definitions,
    renderTypeName: (name) => {
      const parsed = parseApiTypeName(name);
      return parsed.version ? getTypeName(false, parsed.basename, parsed.version.raw) : parsed.basename;
    },
  });
  const objects = kinds.map((name) => {
    const schema = definitions[name];
    const kind = schema?.['x-kubernetes-group-version-kind']?.[0];
    if (!kind) throw new Error(`Kubernetes ${kubernetes.version} has no ${name}`);
    return { custom: false, fqn: name, ...kind, schema, prefix: 'Kube' };
  });
  objects.push(...custom.map((each) => ({ ...each, schema: definitions[each.fqn] })));
  for (const object of objects) types.addDefinition(object.fqn, { $ref: `#/definitions/${getPropsTypeName(object)}` });
  for (const object of objects) generateConstruct(types, object);
  const header = [
    '// Generated by scripts/generate-imports.mjs: do not edit.',
    `// Kubernetes ${kubernetes.version} (OpenAPI document), KubeRay ${sources[0].version} (CRD), Kueue ${sources[1].version} (CRDs).`,
    "import { ApiObject, type GroupVersionKind } from 'cdk8s';",
    "import type { Construct } from 'constructs';",
    '',
  ];
  return `${header.join('\n')}\n${types.render()}`.replace(/[ \t]+$/gm, '');
}

const text = await generate();
if (process.argv.includes('--check')) {
  const committed = await readFile(target, 'utf8').catch(() => '');
  if (committed !== text) {
    console.error('src/infra/imports/kubernetes.ts is stale: run node scripts/generate-imports.mjs');
    process.exitCode = 1;
  }
} else {
  await writeFile(`${target}.tmp`, text);
  await rename(`${target}.tmp`, target);
}
