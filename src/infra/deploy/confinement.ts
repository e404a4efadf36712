import type { Provider } from '@pulumi/kubernetes/provider.js';
import * as pulumi from '@pulumi/pulumi';
import { identify } from '../inventory/identity.js';
import type { Manifest, PlannedObject } from '../plannedObject.js';
import { withoutDeployAnnotations } from './annotations.js';
import { firstDifference } from './firstDifference.js';

/** A checked plan, and the one provider that may apply it. */
export interface ConfinedPlan {
  readonly objects: readonly PlannedObject[];
  /** A pinned provider. */
  readonly provider: Provider;
}

/** Their children are made outside this program, where nothing here would see them. */
const remoteComponents = new Set([
  'kubernetes:helm.sh/v4:Chart',
  'kubernetes:yaml/v2:ConfigFile',
  'kubernetes:yaml/v2:ConfigGroup',
  'kubernetes:kustomize/v2:Directory',
]);

/** Besides Kubernetes objects: the program's own components and steps, and the stack. */
const otherTypes = /^(?:raygate:|pulumi:pulumi:|pulumi-nodejs:|pulumi:providers:pulumi-nodejs$)/;

type ObjectsOfProvider = ReadonlyMap<unknown, ReadonlyMap<string, PlannedObject>>;

/**
 * From here on, any resource that the program registers is refused, in preview and up alike, unless it is an object of a plan
 * with the planned content on that plan's provider, or one of the program's own. The refusal is thrown at the line that registers.
 *
 * Call it once, after the providers and before anything else is registered, in the program of a stack.
 */
export function registerConfinement(...plans: readonly ConfinedPlan[]): void {
  const planned: ObjectsOfProvider = new Map(
    plans.map(({ objects, provider }) => [provider, new Map(objects.map((object) => [object.identity, object]))]),
  );
  pulumi.runtime.registerStackTransformation((resource) => {
    const problem = confinementProblem(resource, planned);
    if (problem) throw new pulumi.RunError(`${resource.type} "${resource.name}" ${problem}`);
    return undefined;
  });
}

function confinementProblem(
  resource: pulumi.ResourceTransformationArgs,
  planned: ObjectsOfProvider,
): string | undefined {
  const { type, opts } = resource;
  if (otherTypes.test(type)) return undefined;
  if (type === 'pulumi:providers:kubernetes')
    return 'is a second way to the cluster: only the pinned provider may exist';
  if (!type.startsWith('kubernetes:'))
    return 'is of a package that this program does not use: nothing vouches for what it does';
  if (remoteComponents.has(type)) return 'makes its objects outside this program, unseen: write them as constructs';
  if ('id' in opts && opts.id !== undefined)
    return 'reads an object instead of declaring it: read in a step of the gate';
  const own = 'provider' in opts ? planned.get(opts.provider) : undefined;
  if (!own) return 'is not on the pinned provider: pass it in the options';
  return contentProblem(withoutUndefined(resource.props) as Manifest, own);
}

function contentProblem(props: Manifest, planned: ReadonlyMap<string, PlannedObject>): string | undefined {
  const identity = identify(props);
  if ('lacks' in identity) return `has no plain ${identity.lacks}: it cannot be compared with the inventory`;
  const object = planned.get(identity.identity);
  if (!object) return `(${identity.identity}) is not in the inventory: declare it in a construct`;
  if (object.phase === 'preserved') return `(${identity.identity}) is preserved: it is checked and never applied`;
  if (object.phase === 'setup') return `(${identity.identity}) is made by the setup step, once for each run`;
  const difference = firstDifference(object.manifest, withoutDeployAnnotations(props, object));
  return difference && `(${identity.identity}) differs from the checked object at ${difference}`;
}

/** Typed classes fill in each property that was not given as undefined. */
function withoutUndefined(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}
