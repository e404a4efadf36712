import { Provider } from '@pulumi/kubernetes/provider.js';
import * as pulumi from '@pulumi/pulumi';

export interface PinnedProviderArgs {
  /** The whole kubeconfig, not a path: what preflight has read and checked. Kept as a secret in Pulumi's state. */
  readonly kubeconfig: string;
  readonly context: string;
  /**
   * Identifies the cluster beyond its kubeconfig: the SHA-256 of its CA certificate. A new value replaces every object, a new
   * token in the kubeconfig does not.
   */
  readonly clusterIdentifier: string;
}

/**
 * The only way of the program to the cluster. Each setting that the provider would otherwise take from the environment
 * (`KUBECONFIG`, `PULUMI_K8S_*`) is given here.
 */
export function createProvider(name: string, args: PinnedProviderArgs): Provider {
  return new Provider(name, {
    kubeconfig: pulumi.secret(args.kubeconfig),
    context: args.context,
    clusterIdentifier: args.clusterIdentifier,
    enableServerSideApply: true,
    // A changed ConfigMap is updated in place; replaced, it would be missing for a while under its fixed name.
    enableConfigMapMutable: true,
    enableSecretMutable: true,
    // An unreachable cluster is a fault, never a reason to forget or to skip what is in it.
    deleteUnreachable: false,
    skipUpdateUnreachable: false,
    suppressDeprecationWarnings: false,
    suppressHelmHookWarnings: false,
    kubeClientSettings: { burst: 120, qps: 50, timeout: 60 },
  });
}
