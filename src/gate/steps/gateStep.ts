import { type CustomResourceOptions, dynamic, type Output } from '@pulumi/pulumi';
import type { RunPlan, StepLayer } from '../model/plan.js';
import { forwarder } from './forwarder.js';

export interface GateStepInputs {
  readonly layer: StepLayer;
  readonly runId: string;
  readonly plan: RunPlan;
  /** A new value runs this step once more in the same run. Default: none. */
  readonly again?: string;
}

/** One layer of the gate, standing between the phases of a deployment. Its inputs are plain JSON and hold no secret. */
export class GateStep extends dynamic.Resource {
  declare readonly runId: Output<string>;
  /** RFC 3339. */
  declare readonly startedAt: Output<string>;
  declare readonly seconds: Output<number>;

  constructor(inputs: GateStepInputs, options: CustomResourceOptions) {
    super(forwarder, inputs.layer, { ...inputs, startedAt: undefined, seconds: undefined }, options, 'raygate', 'Step');
  }
}
