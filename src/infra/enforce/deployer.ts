import { stackNamespace } from '../names.js';

/** ServiceAccount that a deployment acts as, its roles, and the policy that confines it. */
export const deployerName = 'raygate-deployer';

/** On the account's Role: the identities that it may delete, so that a later inventory without one of them still can. */
export const inventoryAnnotation = 'raygate.dev/inventory';

/** How the API server calls that account. */
export const deployerUsername = `system:serviceaccount:${stackNamespace}:${deployerName}`;
