// Writes src/infra/imports/kubernetes.ts: cdk8s types of the kinds that we deploy, with the generator behind `cdk8s import`.
//
//   node scripts/generate-imports.mjs [--check]
//
// Sources, both from the Go modules that the lab builds (lab/toolchain): Kubernetes' own OpenAPI document and KubeRay's CRD.
// `cdk8s import` of the RayCluster CRD alone gives 53,802 lines, because the CRD inlines the whole pod template twice.
// Here its inlined core types are replaced by references to the same types of Kubernetes, so that a pod template is one type
// wherever it stands. Only kinds of `kinds` are emitted, with what they refer to.
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

/** Where the RayCluster CRD inlines a core type: the path below `spec`, and the type. A path that is gone is an error. */
const inlined = [
  ['headGroupSpec.template', core('PodTemplateSpec')],
  ['headGroupSpec.headService', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
  ['workerGroupSpecs.[].template', core('PodTemplateSpec')],
  ['autoscalerOptions.env', listOf(core('EnvVar'))],
  ['autoscalerOptions.envFrom', listOf(core('EnvFromSource'))],
  ['autoscalerOptions.resources', core('ResourceRequirements')],
  ['autoscalerOptions.securityContext', core('SecurityContext')],
  ['autoscalerOptions.volumeMounts', listOf(core('VolumeMount'))],
  ['gcsFaultToleranceOptions.redisUsername.valueFrom', core('EnvVarSource')],
  ['gcsFaultToleranceOptions.redisPassword.valueFrom', core('EnvVarSource')],
];

async function moduleFolder(toolchain, module) {
  const { stdout } = await promisify(execFile)('go', ['list', '-m', '-f', '{{.Dir}} {{.Version}}', module], {
    cwd: join(root, 'lab/toolchain', toolchain),
  });
  const [folder, version] = stdout.trim().split(' ');
  if (!folder || !version)
    throw new Error(`Go module ${module} is not downloaded: run "go mod download" in lab/toolchain/${toolchain}`);
  return { folder, version };
}

function replaceInlined(spec) {
  for (const [path, replacement] of inlined) {
    const steps = path.split('.');
    const last = steps.pop();
    let node = spec;
    for (const step of steps) node = step === '[]' ? node?.items : node?.properties?.[step];
    if (!node?.properties?.[last])
      throw new Error(`RayCluster CRD has no spec.${path}: adapt "inlined" in scripts/generate-imports.mjs`);
    node.properties[last] = replacement;
  }
}

function rayCluster(crdText) {
  const crd = YAML.parse(crdText);
  const version = crd.spec.versions.find((v) => v.name === 'v1');
  const schema = version.schema.openAPIV3Schema;
  replaceInlined(schema.properties.spec);
  schema.properties.metadata = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
  delete schema.properties.status;
  return schema;
}

async function generate() {
  const kubernetes = await moduleFolder('kubernetes', 'k8s.io/kubernetes');
  const kuberay = await moduleFolder('kuberay', 'github.com/ray-project/kuberay/ray-operator');
  const document = JSON.parse(await readFile(join(kubernetes.folder, 'api/openapi-spec/swagger.json'), 'utf8'));
  const crd = await readFile(join(kuberay.folder, 'config/crd/bases/ray.io_rayclusters.yaml'), 'utf8');
  const { definitions } = safeParseJsonSchema(
    JSON.stringify({ definitions: { ...document.definitions, RayCluster: rayCluster(crd) } }),
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
  const ray = { group: 'ray.io', version: 'v1', kind: 'RayCluster', schema: definitions.RayCluster };
  objects.push({ custom: false, fqn: 'RayCluster', ...ray, prefix: 'Kube' });
  for (const object of objects) types.addDefinition(object.fqn, { $ref: `#/definitions/${getPropsTypeName(object)}` });
  for (const object of objects) generateConstruct(types, object);
  const header = [
    '// Generated by scripts/generate-imports.mjs: do not edit.',
    `// Kubernetes ${kubernetes.version} (OpenAPI document), KubeRay ${kuberay.version} (CRD).`,
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
