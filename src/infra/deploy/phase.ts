import type { Provider } from '@pulumi/kubernetes/provider.js';
import * as pulumi from '@pulumi/pulumi';
import type { Phase, PlannedObject } from '../plannedObject.js';
import { type DeployOptions, deployedManifest } from './annotations.js';
import { objectResource } from './objectResource.js';

/** `preserved` objects are never applied; the setup step makes its Job anew in each run, which Pulumi would not. */
export type AppliedPhase = Exclude<Phase, 'preserved' | 'setup'>;

export interface PhaseArgs extends DeployOptions {
  readonly phase: AppliedPhase;
  /** The whole plan; the phase takes its own. */
  readonly objects: readonly PlannedObject[];
}

export interface PhaseOptions {
  readonly provider: Provider;
  /** What must be done before any object of the phase is touched. Default: nothing. */
  readonly dependsOn?: readonly pulumi.Resource[];
}

/**
 * The objects of one phase, one Pulumi resource each. Pulumi does not wait for any of them to become ready: the step after the
 * phase does.
 */
export class PhaseObjects extends pulumi.ComponentResource {
  /** Depend on these, or on the component itself, to come after the phase. */
  readonly objects: readonly pulumi.CustomResource[];
  readonly identities: readonly string[];

  constructor(name: string, args: PhaseArgs, options: PhaseOptions) {
    const dependsOn = [...(options.dependsOn ?? [])];
    super('raygate:infra:Phase', name, {}, { dependsOn });
    const own = args.objects.filter((object) => object.phase === args.phase);
    const register = (object: PlannedObject, after: readonly pulumi.Resource[]) =>
      // A component's own dependencies do not reach its children: each child gets them.
      objectResource(deployedManifest(object, args), {
        parent: this,
        provider: options.provider,
        dependsOn: [...dependsOn, ...after],
      });
    const outer = own.filter((object) => object.scope === 'cluster').map((object) => register(object, []));
    const inner = own.filter((object) => object.scope === 'namespaced').map((object) => register(object, outer));
    this.objects = [...outer, ...inner];
    this.identities = own.map((object) => object.identity);
    this.registerOutputs({});
  }
}
