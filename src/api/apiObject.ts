import type { apiVersion } from './names.js';

/** What the rules read of an object's metadata. */
export interface ApiObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly resourceVersion?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

/** An object of the workspace API. */
export interface ApiObjectOf<Kind extends string, Spec, Status> {
  readonly apiVersion: typeof apiVersion;
  readonly kind: Kind;
  readonly metadata: ApiObjectMeta;
  readonly spec: Spec;
  readonly status?: Status;
}
