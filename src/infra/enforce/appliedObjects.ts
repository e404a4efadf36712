import { kindFacts } from '../inventory/kinds.js';
import { keptKinds } from '../keptKinds.js';
import type { PlannedObject, Scope } from '../plannedObject.js';

/** An object as the API server's authorizer and admission see it. */
export interface AppliedObject {
  readonly group: string;
  /** Plural. */
  readonly resource: string;
  readonly scope: Scope;
  readonly namespace: string | undefined;
  readonly name: string;
  /** Whether it outlives the stack. */
  readonly kept: boolean;
}

/** What Pulumi applies of a plan: neither what is preserved nor the setup Job, which is the gate's own. */
export function appliedPart(objects: readonly PlannedObject[]): readonly PlannedObject[] {
  return objects.filter(({ phase }) => phase !== 'preserved' && phase !== 'setup');
}

/** Reads an identity, as the inventory writes it: `apps/v1/Deployment/django-ray/django-web`, `v1/Namespace/django-ray`. */
export function appliedObject(identity: string): AppliedObject {
  const parts = identity.split('/');
  const versionAt = parts.findIndex((part) => /^v\d/.test(part));
  const [kind = '', ...place] = parts.slice(versionAt + 1);
  const facts = kindFacts(parts.slice(0, versionAt + 1).join('/'), kind);
  const name = place.at(-1);
  if (!facts || !name) throw new Error(`${identity}: its kind is not in the table of kinds, so no role can name it`);
  return {
    group: versionAt === 0 ? '' : (parts[0] ?? ''),
    resource: facts.plural,
    scope: facts.scope,
    namespace: facts.scope === 'namespaced' ? place[0] : undefined,
    name,
    kept: keptKinds.has(kind),
  };
}
