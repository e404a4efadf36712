import { openCluster } from '../cluster/client.js';
import type { Cluster } from '../cluster/cluster.js';
import { type KubeconfigSnapshot, takeSnapshot } from '../cluster/snapshot.js';
import { deadlineIn } from '../core/deadline.js';
import { createRedactor, type Redactor } from '../core/redaction.js';
import { withPrivateFolder } from '../host/privateFolder.js';
import type { Settings } from '../infra/settings.js';
import { readStackSettings } from './stackSettings.js';

/** What a command that works with a stack's cluster gets beside it. */
export interface StackCluster {
  readonly settings: Settings;
  /** Knows the kubeconfig's credentials: whatever the cluster says is cleaned with it before it is printed. */
  readonly redactor: Redactor;
  readonly snapshot: KubeconfigSnapshot;
}

/** Seconds in which an API server that is just coming back is waited for. */
const comingBackSeconds = 20;

/** Works with the cluster of a stack's settings, through a snapshot that is gone afterwards. @throws GateError `settings`, `kubeconfig`. */
export async function withStackCluster<T>(
  stack: string,
  act: (cluster: Cluster, beside: StackCluster) => Promise<T>,
  waitSeconds = comingBackSeconds,
): Promise<T> {
  const settings = await readStackSettings(stack);
  const { kubeconfig, context } = settings;
  const redactor = createRedactor();
  return withPrivateFolder(async (directory) => {
    const snapshot = await takeSnapshot({ kubeconfigPath: kubeconfig, context, directory, redactor });
    const cluster = await openCluster(snapshot, { redactor });
    try {
      // What is wrong for good, the reads of `act` say in their own words.
      await cluster.waitReachable(deadlineIn(waitSeconds)).catch(() => {});
      return await act(cluster, { settings, redactor, snapshot });
    } finally {
      await cluster.close();
    }
  });
}
