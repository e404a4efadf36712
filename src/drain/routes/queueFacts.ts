import { found, type Outcome, unreadable } from '../../core/outcome.js';
import { readSelector, type Selector } from '../selectors/labelSelector.js';
import { type Fields, fieldsAt, fieldsOf, MalformedField, textAt } from '../sources/fields.js';

/** A selector that says something. */
export type ValidSelector = Exclude<Selector, { kind: 'invalid' }>;

export interface LocalQueueFacts {
  readonly uid: string;
  /** Empty: it leads nowhere. */
  readonly clusterQueue: string;
  /** `Hold` or `HoldAndDrain`: nothing new is admitted. */
  readonly stopped: boolean;
}

export interface ClusterQueueFacts {
  readonly uid: string;
  readonly namespaceSelector: ValidSelector;
  readonly stopped: boolean;
}

/** A LocalQueue as read; one that cannot be understood is unreadable. The fields are alike in v1beta1 and v1beta2. */
export function readLocalQueue(object: unknown): Outcome<LocalQueueFacts> {
  return readQueue(object, (uid, spec) =>
    found({ uid, clusterQueue: textAt(spec, 'clusterQueue'), stopped: isStopped(spec) }),
  );
}

/** A ClusterQueue as read; a selector that is invalid makes it unreadable. */
export function readClusterQueue(object: unknown): Outcome<ClusterQueueFacts> {
  return readQueue(object, (uid, spec) => {
    const selector = readSelector(spec['namespaceSelector']);
    return selector.kind === 'invalid'
      ? unreadable(`namespaceSelector: ${selector.reason}`, false)
      : found({ uid, namespaceSelector: selector, stopped: isStopped(spec) });
  });
}

function isStopped(spec: Fields): boolean {
  return !['', 'None'].includes(textAt(spec, 'stopPolicy'));
}

function readQueue<T>(object: unknown, read: (uid: string, spec: Fields) => Outcome<T>): Outcome<T> {
  try {
    const fields = fieldsOf(object, 'object');
    const uid = textAt(fieldsAt(fields, 'metadata'), 'uid');
    if (uid === '') throw new MalformedField('metadata.uid is empty');
    return read(uid, fieldsAt(fields, 'spec'));
  } catch (error) {
    if (!(error instanceof MalformedField)) throw error;
    return unreadable(error.message, false);
  }
}
