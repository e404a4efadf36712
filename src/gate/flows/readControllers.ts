import { asCount, at } from '../model/json.js';
import { kinds } from '../model/kinds.js';
import type { ControllerName } from '../model/knownFinalizers.js';
import type { ControllerState, NamespaceFacts } from '../model/namespaceFacts.js';
import type { ReadingCluster } from './readingCluster.js';

/** By the name of its Deployment or its label `app.kubernetes.io/name`, in whichever namespace it was installed. */
const deployments: readonly { readonly controller: ControllerName; readonly name: RegExp }[] = [
  { controller: 'kueue', name: /^kueue(?:-controller-manager)?$/ },
  { controller: 'kuberay', name: /^kuberay(?:-operator)?$/ },
];
const mostDeployments = 500;

/** Which controllers that take finalizers away are there. The control plane's own are not to be seen by its API. */
export async function readControllers(
  cluster: ReadingCluster,
  unread: NamespaceFacts['unread'][number][],
): Promise<NamespaceFacts['controllers']> {
  const states: Record<ControllerName, ControllerState> = {
    kueue: 'unknown',
    kuberay: 'unknown',
    'kube-controller-manager': 'unknown',
  };
  const listed = await cluster.list(kinds.deployment, { metadataOnly: true, atMost: mostDeployments });
  if (listed.kind !== 'found') {
    if (listed.kind === 'unreadable') unread.push({ what: 'Deployments of controllers', reason: listed.reason });
    return states;
  }
  for (const { controller, name } of deployments) {
    const candidates = listed.value.items.filter(
      ({ metadata }) => name.test(metadata.name) || name.test(metadata.labels?.['app.kubernetes.io/name'] ?? ''),
    );
    const ready = await Promise.all(
      candidates.map(async ({ metadata }) => {
        const ref = { ...kinds.deployment, name: metadata.name, namespace: metadata.namespace ?? '' };
        const read = await cluster.get(ref);
        return read.kind === 'found' && asCount(at(read.value['status'], 'readyReplicas')) > 0;
      }),
    );
    // Behind the bound there may be one more.
    const none = listed.value.leftOut ? 'unknown' : 'absent';
    states[controller] = candidates.length === 0 ? none : ready.some(Boolean) ? 'running' : 'not-ready';
  }
  return states;
}
