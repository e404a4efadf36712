import type { AccessRow } from '../../api/access/mergedRules.js';
import { names, rayContainers, stackNamespace } from '../names.js';
import { appliedObject, appliedPart } from './appliedObjects.js';
import type { Confined } from './confined.js';
import { deployerUsername } from './deployer.js';

/** The parts of a ValidatingAdmissionPolicy (admissionregistration.k8s.io/v1) that say what it refuses; expressions are CEL. */
export interface AdmissionRules {
  readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly {
    readonly expression: string;
    readonly messageExpression: string;
    readonly reason: string;
  }[];
}

/**
 * Lets the deployer's account write what the plan names and the gate makes, and refuses every other write of it by name. Others it
 * does not concern. It stands behind the account's roles: what a wider grant would allow, it still refuses.
 */
export function admissionRules({ objects, gate, retired }: Confined): AdmissionRules {
  const applied = appliedPart(objects).map(({ identity }) => appliedObject(identity));
  const written = [...applied.map(place), ...gate.filter(writes).flatMap(placesOf)].sort();
  const gone = retired.map((identity) => place(appliedObject(identity))).sort();
  const kept = applied.filter((object) => object.kept).map(place);
  const subresources = gate.filter((row) => writes(row) && row.resource.includes('/')).map(subresourceOf);
  return {
    matchConditions: [
      { name: 'the-deployer', expression: `request.userInfo.username == ${JSON.stringify(deployerUsername)}` },
    ],
    variables: [
      { name: 'namespaceName', expression: "has(request.namespace) ? request.namespace : ''" },
      { name: 'name', expression: "has(request.name) ? request.name : ''" },
      { name: 'subresource', expression: "has(request.subResource) ? request.subResource : ''" },
      { name: 'resource', expression: "request.resource.group + '/' + request.resource.resource" },
      {
        name: 'place',
        // A Namespace is asked for in itself, by some requests.
        expression:
          "variables.resource + '/' + (variables.resource == '/namespaces' ? '' : variables.namespaceName) + '/' + variables.name",
      },
      {
        name: 'what',
        expression:
          "request.kind.kind + ' ' + (variables.namespaceName == '' ? '' : variables.namespaceName + '/') + variables.name + (variables.subresource == '' ? '' : '/' + variables.subresource)",
      },
      { name: 'ofOurRay', expression: ofOurRay },
      {
        name: 'retired',
        expression: `request.operation == 'DELETE' && variables.place in ${JSON.stringify(gone)}`,
      },
    ],
    validations: [
      {
        expression: `variables.subresource == '' || (variables.namespaceName == ${JSON.stringify(stackNamespace)} && variables.resource + '/' + variables.subresource in ${JSON.stringify(subresources)})`,
        messageExpression: `variables.what + ' is a subresource: raygate writes whole objects only'`,
        reason: 'Forbidden',
      },
      {
        expression: `variables.subresource != '' || variables.place in ${JSON.stringify(written)} || variables.ofOurRay || variables.retired`,
        messageExpression: `variables.what + ' is not in the inventory of this stack'`,
        reason: 'Forbidden',
      },
      {
        expression: `request.operation != 'DELETE' || !(variables.place in ${JSON.stringify(kept)})`,
        messageExpression: `variables.what + ' outlives the stack: it is not deleted'`,
        reason: 'Forbidden',
      },
      {
        // Pods have no fixed names, and of a connection admission sees no pod: the container is what it is told.
        expression: `variables.resource + '/' + variables.subresource != '/pods/exec' || (has(object.container) && object.container in ${JSON.stringify(Object.values(rayContainers))})`,
        messageExpression: `variables.what + ' is in no container of Ray: raygate runs commands in those only'`,
        reason: 'Forbidden',
      },
    ],
  };
}

/** Pods have no fixed names: a cold restart deletes those that the stack's RayCluster controls. */
const ofOurRay = [
  "request.operation == 'DELETE'",
  "variables.resource == '/pods'",
  `variables.namespaceName == ${JSON.stringify(stackNamespace)}`,
  'oldObject != null',
  'has(oldObject.metadata.ownerReferences)',
  `oldObject.metadata.ownerReferences.exists(owner, owner.apiVersion.startsWith('ray.io/') && owner.kind == 'RayCluster' && owner.name == ${JSON.stringify(names.rayCluster)} && has(owner.controller) && owner.controller)`,
].join(' && ');

const writingVerbs = ['create', 'update', 'patch', 'delete'];

function writes({ verbs }: AccessRow): boolean {
  return verbs.some((verb) => writingVerbs.includes(verb));
}

interface Place {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

function place({ group, resource, namespace = '', name }: Place): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

function placesOf({ group, resource, names: ofRow = [] }: AccessRow): readonly string[] {
  return ofRow.map((name) => place({ group, resource, namespace: stackNamespace, name }));
}

function subresourceOf({ group, resource }: AccessRow): string {
  return `${group}/${resource}`;
}
