import { openCluster } from '../../cluster/client.js';
import type { SnapshotRef } from '../../cluster/snapshot.js';
import { GateError, isGateError } from '../../core/gateError.js';
import type { AccountRule } from '../model/account.js';
import { gateNamespace, kinds } from '../model/kinds.js';
import type { PlannedManifest } from '../model/plan.js';
import { type PersistOptions, readUntilAnswered } from './persist.js';

/** What confines a run: objects that the user's own rights apply, and what they give to the account. */
export interface Enforcement {
  readonly objects: readonly PlannedManifest[];
  readonly rules: readonly AccountRule[];
}

/** How `raygate:enforce` is carried out. */
export interface EnforcementPlan {
  /** Whom the run acts as: `system:serviceaccount:NAMESPACE:NAME`. */
  readonly username: string;
  /** The account's Role, and its annotation that lists what an earlier plan let it delete. */
  readonly role: { readonly name: string; readonly annotation: string };
  /** `retired`: identities of an earlier plan that still exist, and that this one lets the account delete. */
  readonly confine: (retired: readonly string[]) => Enforcement;
}

/**
 * Looks whether `acting` may be used to act as the account, and finds what an earlier plan applied, this one does not plan, and the
 * cluster still has: Pulumi will delete it as the account.
 */
export async function readRetired(
  { username, role }: EnforcementPlan,
  planned: readonly PlannedManifest[],
  acting: SnapshotRef,
  persist: PersistOptions,
): Promise<readonly string[]> {
  await checkImpersonation(username, acting, persist);
  const ref = { ...kinds.role, name: role.name, namespace: gateNamespace };
  const live = await readUntilAnswered(`Role ${role.name}`, () => persist.cluster.get(ref), persist);
  const listed = live?.metadata.annotations?.[role.annotation]?.split(' ') ?? [];
  const known = new Set(planned.map((object) => object.identity));
  const retired: string[] = [];
  for (const identity of listed.filter((each) => each !== '' && !known.has(each))) {
    const object = await readUntilAnswered(identity, () => persist.cluster.get(refOfIdentity(identity)), persist);
    if (object !== undefined) retired.push(identity);
  }
  return retired;
}

/** `apps/v1/Deployment/django-ray/django-web`; all that is listed lies in a namespace. */
function refOfIdentity(identity: string) {
  const parts = identity.split('/');
  const [kind = '', namespace = '', name = ''] = parts.slice(-3);
  return { apiVersion: parts.slice(0, -3).join('/'), kind, namespace, name };
}

/** The API server looks at the right to impersonate before anything else, and never at whether the account exists. */
async function checkImpersonation(username: string, acting: SnapshotRef, persist: PersistOptions): Promise<void> {
  const cluster = await openCluster(acting);
  try {
    await readUntilAnswered(`the API server as ${username}`, () => cluster.version(), { ...persist, cluster });
  } catch (error) {
    if (!isGateError(error) || error.retryable) throw error;
    throw new GateError({
      layer: 'preflight',
      code: 'preflight.impersonation',
      message: `raygate:enforce acts as ${username}, and your user may not: let it impersonate that service account, or set raygate:enforce to false (${error.message}).`,
    });
  } finally {
    await cluster.close();
  }
}
