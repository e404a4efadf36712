import { type KnownFinalizer, knownFinalizer } from '../model/knownFinalizers.js';
import type { Cause, NamespaceFacts, RemainingKind, RemainingObject } from '../model/namespaceFacts.js';

/** Names in one line. */
const namesShown = 5;

interface Group {
  readonly finalizer: string;
  readonly kind: RemainingKind;
  readonly objects: readonly RemainingObject[];
}

/** Deleted objects that finalizers hold, by finalizer and kind: who takes it away, and whether that one is there. */
export function finalizerCauses(facts: NamespaceFacts): readonly Cause[] {
  return groupsOf(facts.remaining).map((group) => causeOf(group, facts));
}

export function namesOf(objects: readonly { readonly name: string }[]): string {
  const names = objects.slice(0, namesShown).map(({ name }) => name);
  return objects.length > namesShown ? `${names.join(', ')} and ${objects.length - namesShown} more` : names.join(', ');
}

function groupsOf(remaining: readonly RemainingKind[]): readonly Group[] {
  return remaining.flatMap((kind) => {
    const held = kind.objects.filter((object) => object.deletedAt !== undefined);
    const finalizers = [...new Set(held.flatMap((object) => object.finalizers))].sort();
    return finalizers.map((finalizer) => {
      return { finalizer, kind, objects: held.filter((object) => object.finalizers.includes(finalizer)) };
    });
  });
}

function causeOf(group: Group, facts: NamespaceFacts): Cause {
  const known = knownFinalizer(group.finalizer);
  const held = `${group.kind.kind} ${namesOf(group.objects)}${ownersOf(group.objects)} held by finalizer ${group.finalizer}`;
  if (known === undefined) return unknownCause(group, held, facts.name);
  const what = `${held}: it stays until ${known.until}`;
  const state = facts.controllers[known.controller];
  if (state === 'absent') {
    return {
      code: 'namespace.controller-absent',
      what: `${what}, and its controller, ${known.controller}, is not installed`,
      next: `install ${known.controller} again, which takes it away; or, when nothing of it is needed any more: ${takeAway(group, facts.name)}`,
    };
  }
  if (state === 'not-ready') {
    return {
      code: 'namespace.controller-not-ready',
      what: `${what}, and no pod of its controller, ${known.controller}, is ready`,
      next: `bring ${known.controller} back: see why its pods are not ready`,
    };
  }
  return { code: 'namespace.finalizer', ...special(group, known, what, facts) };
}

/** What is waited for can be named for some. */
function special(
  { finalizer, objects }: Group,
  known: KnownFinalizer,
  what: string,
  facts: NamespaceFacts,
): Pick<Cause, 'what' | 'next'> {
  if (finalizer === 'kubernetes.io/pvc-protection') {
    const users = [...new Set(objects.flatMap(({ name }) => facts.claimUsers[name] ?? []))].map((name) => ({ name }));
    if (users.length > 0)
      return { what: `${what}, and pod ${namesOf(users)} does`, next: `end or delete pod ${namesOf(users)}` };
  }
  if (finalizer === 'foregroundDeletion') {
    const uids = new Set(objects.map((object) => object.uid));
    const dependents = facts.remaining.flatMap(({ kind, objects: all }) =>
      all
        .filter((object) => object.owners.some((owner) => owner.blocks && uids.has(owner.uid)))
        .map((object) => ({ name: `${kind} ${object.name}` })),
    );
    if (dependents.length > 0)
      return { what: `${what}: ${namesOf(dependents)}`, next: `see what keeps ${namesOf(dependents)}` };
  }
  return { what, next: known.next };
}

function unknownCause(group: Group, held: string, namespace: string): Cause {
  const managers = [...new Set(group.objects.flatMap((object) => object.finalizerManagers))].slice(0, namesShown);
  const put = managers.length > 0 ? `, put there by ${managers.join(', ')}` : '';
  return {
    code: 'namespace.finalizer-unknown',
    what: `${held}${put}: raygate knows no controller that takes it away`,
    next: `see whether what put it there still runs; when it is gone for good, and what it guarded may be lost: ${takeAway(group, namespace)}`,
  };
}

function takeAway({ kind, objects }: Group, namespace: string): string {
  const name = objects.length === 1 ? (objects[0]?.name ?? '') : 'NAME';
  return `kubectl -n ${namespace} patch ${kind.resource} ${name} --type=merge -p '{"metadata":{"finalizers":null}}'`;
}

function ownersOf(objects: readonly RemainingObject[]): string {
  const owners = [...new Set(objects.flatMap(({ owners }) => owners.map(({ kind, name }) => `${kind} ${name}`)))];
  return owners.length === 0 ? '' : ` (of ${namesOf(owners.map((name) => ({ name })))})`;
}
