import type { Manifest } from '../plannedObject.js';

export interface Selecting {
  readonly identity: string;
  readonly construct: string;
  readonly manifest: Manifest;
}

type Labels = Readonly<Record<string, string>>;
interface DeploymentSpec {
  readonly selector?: { readonly matchLabels?: Labels; readonly matchExpressions?: readonly unknown[] };
  readonly template?: { readonly metadata?: { readonly labels?: Labels } };
}

/**
 * Each Deployment selects its own pods and no other Deployment's: two with overlapping selectors would count each other's pods
 * as their own.
 */
export function selectorProblems(
  objects: readonly Selecting[],
): readonly { readonly of: Selecting; readonly problem: string }[] {
  const deployments = objects.filter(({ manifest }) => manifest['kind'] === 'Deployment');
  const byLabel = podsByLabel(deployments);
  return deployments.flatMap((of) => {
    const spec = specOf(of);
    const selector = spec.selector?.matchLabels ?? {};
    if (Object.keys(selector).length === 0 || spec.selector?.matchExpressions)
      return [{ of, problem: 'spec.selector must be matchLabels, at least one, and no expressions' }];
    if (!selects(selector, labelsOf(of)))
      return [{ of, problem: "spec.selector does not select the template's own labels" }];
    const taken = fewestCarriers(selector, byLabel).filter(
      (other) => other !== of && selects(selector, labelsOf(other)),
    );
    return taken.map((other) => ({ of, problem: `spec.selector also selects the pods of ${other.identity}` }));
  });
}

/** Deployments by each label of their pods, so that a selector is compared with those that share its rarest label only. */
function podsByLabel(deployments: readonly Selecting[]): ReadonlyMap<string, readonly Selecting[]> {
  const byLabel = new Map<string, Selecting[]>();
  for (const deployment of deployments)
    for (const [key, value] of Object.entries(labelsOf(deployment))) {
      const carriers = byLabel.get(`${key}=${value}`);
      if (carriers) carriers.push(deployment);
      else byLabel.set(`${key}=${value}`, [deployment]);
    }
  return byLabel;
}

function fewestCarriers(selector: Labels, byLabel: ReadonlyMap<string, readonly Selecting[]>): readonly Selecting[] {
  return Object.entries(selector)
    .map(([key, value]) => byLabel.get(`${key}=${value}`) ?? [])
    .reduce((fewest, carriers) => (carriers.length < fewest.length ? carriers : fewest));
}

function specOf({ manifest }: Selecting): DeploymentSpec {
  return (manifest['spec'] ?? {}) as DeploymentSpec;
}

function labelsOf(deployment: Selecting): Labels {
  return specOf(deployment).template?.metadata?.labels ?? {};
}

function selects(selector: Labels, labels: Labels): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}
