import type { ApiObjectProps } from 'cdk8s';
import { Construct } from 'constructs';
import { customResourceDefinition } from '../../api/apiKind.js';
import { apiKinds } from '../../api/apiKinds.js';
import { PlannedApiObject } from './plannedApiObject.js';

/** The CustomResourceDefinitions of the workspace API, as `api/` defines them. */
export class WorkspaceApi extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    for (const kind of apiKinds) {
      const manifest = customResourceDefinition(kind) as unknown as ApiObjectProps;
      new PlannedApiObject(this, kind.plural, { phase: 'prerequisite', manifest });
    }
  }
}
