import { Construct } from 'constructs';
import { KubeConfigMap } from '../imports/kubernetes.js';
import { objectMeta } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';

export interface PlainConfigMapProps {
  readonly name: string;
  /** At least one key: letters, digits, `-`, `_` and `.`. */
  readonly data: Readonly<Record<string, string>>;
}

/** A ConfigMap of the stack that no component brings by itself. */
export class PlainConfigMap extends Construct {
  constructor(scope: Construct, id: string, props: PlainConfigMapProps) {
    super(scope, id);
    const keys = Object.keys(props.data);
    if (keys.length === 0) throw new Error(`${this.node.path}: data is empty: give at least one key`);
    const odd = keys.find((key) => !/^[-._a-zA-Z0-9]{1,253}$/.test(key));
    if (odd !== undefined)
      throw new Error(`${this.node.path}: data has the key "${odd}": use letters, digits, -, _ and . only`);
    new PlannedApiObject(this, 'config', {
      phase: 'prerequisite',
      manifest: KubeConfigMap.manifest({ metadata: objectMeta(props.name), data: { ...props.data } }),
    });
  }
}
