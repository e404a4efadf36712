import { App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { defaultSystemNamespace } from '../../api/names.js';
import { ControllerAccess } from '../constructs/controllerAccess.js';
import { ControllerDeployment } from '../constructs/controllerDeployment.js';
import { SystemNamespace } from '../constructs/systemNamespace.js';
import { WorkspaceApi } from '../constructs/workspaceApi.js';
import { WorkspaceRoles } from '../constructs/workspaceRoles.js';
import { controllerImage } from '../images.js';
import type { PlannedObject } from '../plannedObject.js';
import type { Resources } from '../profiles.js';
import { plannedObjects } from './plannedObjects.js';

export interface ControllerOptions {
  /** Default: `tau-system`. */
  readonly systemNamespace?: string;
  /** Whole reference of the image. Default: the controller of this version. */
  readonly image?: string;
  /** Pods. Default: 1. */
  readonly replicas?: number;
  /** Default: 50m and 128Mi, at most 500m and 512Mi. */
  readonly resources?: Resources;
}

const defaultResources: Resources = {
  cpuRequest: '50m',
  memoryRequest: '128Mi',
  cpuLimit: '500m',
  memoryLimit: '512Mi',
};

/** The workspace API and the controller behind it, in one reading. */
class Controller extends Chart {
  constructor(scope: Construct, id: string, options: ControllerOptions) {
    super(scope, id, { disableResourceNameHashes: true });
    const { systemNamespace = defaultSystemNamespace, image = controllerImage } = options;
    const { replicas = 1, resources = defaultResources } = options;
    new SystemNamespace(this, 'namespace', { name: systemNamespace });
    new WorkspaceApi(this, 'api');
    new WorkspaceRoles(this, 'roles');
    new ControllerAccess(this, 'access', { systemNamespace });
    new ControllerDeployment(this, 'controller', { systemNamespace, image, replicas, resources });
  }
}

/** Cluster-scoped kinds of the chart beside its Namespace: the allow list for its inventory. */
export const controllerClusterKinds = [
  'apiextensions.k8s.io/v1/CustomResourceDefinition',
  'rbac.authorization.k8s.io/v1/ClusterRole',
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding',
] as const;

/** Synthesises the controller's installation in memory; the same options give the same objects. */
export function synthController(options: ControllerOptions = {}): readonly PlannedObject[] {
  return plannedObjects(new Controller(new App(), 'controller', options));
}
