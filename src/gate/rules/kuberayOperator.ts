import { failed, ready, type Verdict } from '../../core/verdict.js';
import { asList, asRecord, asText, asTextMap, at } from '../model/json.js';
import { kubeRayContracts } from '../model/kuberay.js';

/** A Deployment as it was listed; only its name, labels and containers are read. */
export interface OperatorCandidate {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

export interface RunningOperator {
  readonly version: string;
  /** `namespace/name`. */
  readonly deployment: string;
  readonly image: string;
}

const name = 'kuberay-operator';
const imagePath = /(?:^|\/)kuberay\/operator(?=[:@]|$)/;
const supported = Object.keys(kubeRayContracts).join(', ');

/**
 * Which KubeRay runs, among all Deployments of the cluster: by its image's tag, else by its labels (Helm's and upstream's). What it
 * adds to pods is known for some versions only; for any other the gate cannot say what a Ray pod must be.
 */
export function judgeOperator(deployments: readonly OperatorCandidate[], rayVersion: string): Verdict<RunningOperator> {
  const operators = deployments.map(readOperator).filter((one) => one !== undefined);
  const [operator, other] = operators;
  if (operator === undefined) {
    return failed(
      'preflight.operator-missing',
      `No Deployment of this cluster runs the image kuberay/operator: install KubeRay ${supported} (its Helm chart kuberay-operator).`,
    );
  }
  if (other !== undefined) {
    const all = operators.map((one) => one.deployment).join(', ');
    return failed('preflight.operator-twice', `KubeRay is installed ${operators.length} times (${all}): keep one.`);
  }
  const { version, image, deployment } = operator;
  if (version === undefined) {
    return failed(
      'preflight.operator-unreadable',
      `Neither the image ${image} nor the labels of Deployment ${deployment} say which KubeRay it is: deploy it under its tag.`,
    );
  }
  const contract = Object.hasOwn(kubeRayContracts, version) ? kubeRayContracts[version] : undefined;
  if (contract === undefined) {
    return failed(
      'preflight.operator-unsupported',
      `KubeRay ${version} (Deployment ${deployment}, image ${image}) is not supported; supported: ${supported}.`,
    );
  }
  if (isOlder(rayVersion, contract.oldestRay)) {
    const detail = `Ray ${rayVersion} under KubeRay ${version} is not supported; supported: from ${contract.oldestRay} on.`;
    return failed('preflight.ray-unsupported', detail);
  }
  return ready({ version, deployment, image });
}

function readOperator(object: OperatorCandidate) {
  const { name: called, namespace } = object.metadata;
  const labels = asTextMap(at(object, 'metadata', 'labels'));
  const containers = asList(at(object, 'spec', 'template', 'spec', 'containers')).map(asRecord);
  const images = containers.map((container) => asText(container['image']));
  const named = [labels['app.kubernetes.io/name'], labels['app.kubernetes.io/component']].includes(name);
  const image = images.find((one) => imagePath.test(one)) ?? (named ? images[0] : undefined);
  if (image === undefined) return undefined;
  return { deployment: `${namespace ?? ''}/${called}`, image, version: versionOf(image, labels) };
}

function versionOf(image: string, labels: Readonly<Record<string, string>>): string | undefined {
  const tag = /:([^/@]+)(?:@.*)?$/.exec(image)?.[1] ?? '';
  const texts = [tag, labels['app.kubernetes.io/version'], labels['helm.sh/chart']?.replace(`${name}-`, '')];
  return texts.map((text) => /^v?(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(text ?? '')?.[1]).find((one) => one !== undefined);
}

function isOlder(version: string, oldest: string): boolean {
  const [a, b] = [version, oldest].map((text) => text.split('.').map(Number));
  const [major = 0, minor = 0] = a ?? [];
  const [leastMajor = 0, leastMinor = 0] = b ?? [];
  return !(major > leastMajor || (major === leastMajor && minor >= leastMinor));
}
