import type { Cause, Explanation, NamespaceFacts } from '../model/namespaceFacts.js';
import { finalizerCauses, namesOf } from './explainFinalizers.js';

const mostCauses = 20;

/** What the namespace controller (Kubernetes 1.35) says while it deletes, and what to do about it. */
const conditionSteps: Readonly<Record<string, string>> = {
  NamespaceDeletionDiscoveryFailure:
    'make each API group answer again: as long as one does not, nothing of the namespace is finished',
  NamespaceDeletionGroupVersionParsingFailure: 'see which APIService or CRD has a group version that is none',
  NamespaceDeletionContentFailure:
    'mend what its message names: a deletion was refused, often by an admission webhook that is away',
};

/** Why a namespace is not converged, or is still terminating: every reason that the facts show, those that others follow from first. */
export function explainNamespace(facts: NamespaceFacts): Explanation {
  const isTerminating = facts.deletedAt !== undefined || facts.phase === 'Terminating';
  const found = isTerminating ? terminatingCauses(facts) : activeCauses(facts);
  const all = [...found, ...unreadCauses(facts)];
  const causes = all.slice(0, mostCauses);
  const state = isTerminating ? 'terminating' : all.length > 0 ? 'not-converged' : 'converged';
  return {
    namespace: facts.name,
    state,
    summary: summaryOf(facts, state, all.length),
    causes,
    leftOut: all.length - causes.length,
  };
}

function summaryOf(
  { name, deletedAt, remaining }: NamespaceFacts,
  state: Explanation['state'],
  causes: number,
): string {
  if (state === 'converged') return `namespace ${name} is converged: nothing in it waits for anything`;
  if (state === 'not-converged')
    return `namespace ${name} is not converged: ${causes} reason${causes === 1 ? '' : 's'}`;
  const objects = remaining.reduce((sum, kind) => sum + kind.objects.length + kind.leftOut, 0);
  const left = `${objects} object${objects === 1 ? '' : 's'} of ${remaining.length} kind${remaining.length === 1 ? '' : 's'} left`;
  return `namespace ${name} is terminating since ${deletedAt ?? 'an unknown time'}: ${left}`;
}

function terminatingCauses(facts: NamespaceFacts): readonly Cause[] {
  const causes: Cause[] = [
    ...serviceCauses(facts),
    ...conditionCauses(facts),
    ...finalizerCauses(facts),
    ...endingCauses(facts),
    ...undeletedCauses(facts),
    ...facts.finalizers.map((finalizer) => ({
      code: 'namespace.own-finalizer',
      what: `the Namespace itself has finalizer ${finalizer}`,
      next: 'see whether what put it there still runs: only that may take it away',
    })),
  ];
  if (causes.length > 0 || facts.unread.length > 0) return causes;
  const what = 'nothing is left in it, and nothing holds it';
  return [
    {
      code: 'namespace.almost-gone',
      what,
      next: 'wait a moment; if it stays, see whether kube-controller-manager runs',
    },
  ];
}

function serviceCauses({ unavailableServices }: NamespaceFacts): readonly Cause[] {
  return unavailableServices.map(({ name, service, message }) => ({
    code: 'namespace.api-service-unavailable',
    what: `APIService ${name}${service ? ` (Service ${service})` : ''} is unavailable: ${message}; while its kinds cannot be listed, no namespace is deleted to its end`,
    next: `${service ? `bring Service ${service} back` : 'bring its server back'}; when it is gone for good: kubectl delete apiservice ${name}`,
  }));
}

function conditionCauses({ conditions }: NamespaceFacts): readonly Cause[] {
  return conditions.flatMap(({ type, message }) => {
    const next = conditionSteps[type];
    return next === undefined ? [] : [{ code: 'namespace.condition', what: `${type}: ${message}`, next }];
  });
}

/** Deleted, and held by no finalizer: pods that end, or what is being removed just now. */
function endingCauses({ remaining }: NamespaceFacts): readonly Cause[] {
  return remaining.flatMap(({ kind, objects }) => {
    const ending = objects.filter((object) => object.deletedAt !== undefined && object.finalizers.length === 0);
    if (ending.length === 0) return [];
    const next =
      kind === 'Pod'
        ? 'wait for their grace period; a pod that stays longer is on a node whose kubelet is away, which kubectl get nodes shows'
        : 'wait a moment';
    return [{ code: 'namespace.ending', what: `${kind} ${namesOf(ending)} is deleted and ends`, next }];
  });
}

/** The namespace controller deletes what it can list, kind by kind: what it has not come to waits for an earlier cause. */
function undeletedCauses({ remaining }: NamespaceFacts): readonly Cause[] {
  const kinds = remaining.filter(
    ({ objects, leftOut }) => leftOut > 0 || objects.some((one) => one.deletedAt === undefined),
  );
  if (kinds.length === 0) return [];
  const counts = kinds.map(({ kind, objects, leftOut }) => {
    const count = objects.filter((one) => one.deletedAt === undefined).length + leftOut;
    return { name: `${kind} (${count})` };
  });
  const next = 'see the reasons above; without one, see whether kube-controller-manager runs';
  return [{ code: 'namespace.undeleted', what: `not deleted yet: ${namesOf(counts)}`, next }];
}

function activeCauses(facts: NamespaceFacts): readonly Cause[] {
  const faults = facts.faults.map(({ object, detail }) => ({
    code: 'namespace.not-converged',
    what: `${object}: ${detail}`,
    next: `kubectl -n ${facts.name} describe ${object.replace(' ', '/').toLowerCase()}`,
  }));
  return [...finalizerCauses(facts), ...faults];
}

function unreadCauses({ unread }: NamespaceFacts): readonly Cause[] {
  return unread.map(({ what, reason }) => ({
    code: 'namespace.unreadable',
    what: `${what} cannot be read: ${reason}`,
    next: 'see why the API server does not answer for it: what there is of it is unknown, and may hold the namespace',
  }));
}
