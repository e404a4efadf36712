import { type Fields, fieldsAt, fieldsOf, flagAt, listAt, MalformedField, textAt } from './fields.js';
import { running, type SourceKind, type WorkState } from './sourceKind.js';
import { rankOf } from './table.js';

/** Who owns an object. Kueue gives the Workload of a pod group several owners, none of them the controller. */
export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** What the rules need of one object, and no more: an index holds very many of these. */
export interface WorkItem {
  readonly row: SourceKind;
  /** Place of the row in the table. */
  readonly rank: number;
  readonly name: string;
  readonly uid: string;
  readonly state: WorkState;
  /** As {@link SourceKind.queue}. */
  readonly queue: string | undefined;
  /** Empty when it holds no quota, or the kind never does. */
  readonly admittedTo: string;
  readonly remoteCluster: string;
  readonly accounts: readonly string[] | 'any';
  readonly owners: readonly Owner[];
  /** RFC 3339, in milliseconds: when an object that is being deleted should have been gone. */
  readonly goneBy: number | undefined;
}

/** An object that cannot be understood. It may be anything, so it counts as unfinished work that needs everything. */
export interface MalformedWork {
  readonly row: SourceKind;
  readonly rank: number;
  readonly name: string;
  readonly uid: string;
  readonly malformed: string;
}

/** Reads an object of a kind. Never throws, and never takes what it does not understand for finished. */
export function readWork(row: SourceKind, object: unknown): WorkItem | MalformedWork {
  try {
    return read(row, fieldsOf(object, 'object'));
  } catch (error) {
    if (!(error instanceof MalformedField)) throw error;
    return {
      row,
      rank: rankOf(row),
      name: nameIn(object, 'name'),
      uid: nameIn(object, 'uid'),
      malformed: error.message,
    };
  }
}

/** The state of an object of a kind; what cannot be understood counts as running. */
export function stateOfWork(row: SourceKind, object: unknown): WorkState {
  const work = readWork(row, object);
  return 'malformed' in work ? running('Unreadable') : work.state;
}

function read(row: SourceKind, object: Fields): WorkItem {
  const metadata = fieldsAt(object, 'metadata');
  const name = textAt(metadata, 'name');
  if (name === '') throw new MalformedField('metadata.name is empty');
  const deleted = textAt(metadata, 'deletionTimestamp');
  const goneBy = deleted === '' ? undefined : Date.parse(deleted);
  if (Number.isNaN(goneBy)) throw new MalformedField('deletionTimestamp is no time');
  return {
    row,
    rank: rankOf(row),
    name,
    uid: textAt(metadata, 'uid'),
    state: row.state(object),
    queue: row.queue(object),
    admittedTo: row.admittedTo?.(object) ?? '',
    remoteCluster: row.remoteCluster?.(object) ?? '',
    accounts: row.accounts(object),
    owners: ownersOf(metadata),
    goneBy,
  };
}

const ownerTexts = ['apiVersion', 'kind', 'name', 'uid'] as const;

/** The references as they stand, when each is whole: an index holds very many of them. */
function ownersOf(metadata: Fields): readonly Owner[] {
  const references = listAt(metadata, 'ownerReferences');
  let whole = true;
  for (const each of references) {
    const owner = fieldsOf(each, 'ownerReference');
    for (const key of ownerTexts) {
      textAt(owner, key);
      whole &&= owner[key] !== undefined && owner[key] !== null;
    }
    flagAt(owner, 'controller');
  }
  return whole
    ? (references as readonly Owner[])
    : references.map((each) => readOwner(fieldsOf(each, 'ownerReference')));
}

function readOwner(owner: Fields): Owner {
  const [apiVersion, kind, name, uid] = ownerTexts.map((key) => textAt(owner, key)) as [string, string, string, string];
  return { apiVersion, kind, name, uid, controller: flagAt(owner, 'controller') };
}

function nameIn(object: unknown, key: 'name' | 'uid'): string {
  try {
    return textAt(fieldsAt(fieldsOf(object, 'object'), 'metadata'), key);
  } catch {
    return '';
  }
}
