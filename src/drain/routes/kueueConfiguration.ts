import { found, type Outcome, unreadable } from '../../core/outcome.js';
import { readSelector } from '../selectors/labelSelector.js';
import { fieldsOf, flagAt, MalformedField } from '../sources/fields.js';
import type { ValidSelector } from './queueFacts.js';

/** What of Kueue's own configuration decides which namespaces and objects it looks after. */
export interface KueueConfiguration {
  /**
   * Since 0.15 Kueue leaves all work in a namespace that this does not select, in a queue or not: completions are no more recorded, nothing
   * is started again (jobframework ReconcileGenericJob).
   */
  readonly managedNamespaces: ValidSelector;
  /** Whether it takes objects without a queue's name too. */
  readonly managesUnnamed: boolean;
}

/**
 * What holds where nothing is configured. Kueue's default selector excludes two namespaces by their own names, which no workspace may have as
 * its target and no strip changes: for a drain that is everything.
 */
export const defaultKueueConfiguration: KueueConfiguration = {
  managedNamespaces: { kind: 'requirements', requirements: [] },
  managesUnnamed: false,
};

/** Kueue's Configuration, parsed (`controller_manager_config.yaml` of its ConfigMap). */
export function readKueueConfiguration(parsed: unknown): Outcome<KueueConfiguration> {
  try {
    const configuration = fieldsOf(parsed, 'configuration');
    const written = configuration['managedJobsNamespaceSelector'];
    const selector = readSelector(written);
    if (selector.kind === 'invalid') return unreadable(`managedJobsNamespaceSelector: ${selector.reason}`, false);
    return found({
      managedNamespaces: selector.kind === 'nothing' ? defaultKueueConfiguration.managedNamespaces : selector,
      managesUnnamed: flagAt(configuration, 'manageJobsWithoutQueueName'),
    });
  } catch (error) {
    if (!(error instanceof MalformedField)) throw error;
    return unreadable(`Kueue's configuration: ${error.message}`, false);
  }
}
