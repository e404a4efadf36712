import type { KindRef } from './objects.js';

/** Where the API server keeps a kind's objects. */
export interface ServedKind {
  /** `/apis/apps/v1` or `/api/v1`. */
  readonly groupPath: string;
  /** `deployments`. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** What may be asked of it: `list`, `get`. */
  readonly verbs: readonly string[];
}

export interface ServedKinds {
  readonly kinds: readonly (KindRef & Pick<ServedKind, 'plural' | 'namespaced' | 'verbs'>)[];
  readonly unreadable: readonly { readonly apiVersion: string; readonly reason: string }[];
}
