import type { SetupResult } from './identities.js';
import { asRecord, asText, parseJson } from './json.js';

/** The remote half of a task (django-ray 0.7.0): an archive without it can start none. */
export const requiredMember = 'src/django_ray/runtime/remote.py';

/** What one Ray node's interpreter says of itself and of the archive (`flows/runtimeEnvProbe.ts` asks it). */
export interface NodeReport {
  /** Where `django_ray` comes from without any runtime environment; undefined when it is not importable, as it must be. */
  readonly bareDjangoRay: string | undefined;
  readonly bytes: number | undefined;
  readonly sha256: string;
  readonly members: number | undefined;
  readonly hasRequiredMember: boolean;
  /** File of `django_ray` when a process starts in the expanded archive as Ray starts a task, relative to the expanded folder. */
  readonly expandedDjangoRay: string;
  /** Why the archive could not be read or expanded; empty when it could. */
  readonly error: string;
}

/** One Ray pod and what came of asking it. */
export interface NodeAnswer {
  readonly pod: string;
  readonly uid: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RuntimeEnvFacts {
  readonly archive: SetupResult['archive'];
  /** On every Ray pod; anything else fails the layer. */
  readonly bareDjangoRay: 'absent';
  /** One a Ray pod, in the order of their names. */
  readonly nodes: readonly { readonly pod: string; readonly uid: string; readonly report: NodeReport }[];
}

/** The file behind `file:///FOLDER/NAME.zip`; undefined for any other form, and for one that climbs. */
export function archivePathOf(uri: string): string | undefined {
  const path = /^file:\/\/((?:\/[A-Za-z0-9._-]+)+\.zip)$/.exec(uri)?.[1];
  return path?.split('/').some((part) => part === '.' || part === '..') ? undefined : path;
}

/** The report of a node: the last line of its output, one JSON object. Undefined when there is none. */
export function readNodeReport(stdout: string): NodeReport | undefined {
  const record = asRecord(parseJson(stdout.trimEnd().split('\n').at(-1) ?? ''));
  if (record['schema'] !== 'raygate.node/1') return undefined;
  const count = (key: string) => (Number.isInteger(record[key]) ? (record[key] as number) : undefined);
  const bare = record['bare_django_ray'];
  return {
    // Only a null says that it is absent: a report without the key has not looked.
    bareDjangoRay: bare === null ? undefined : asText(bare) || 'unknown',
    bytes: count('bytes'),
    sha256: asText(record['sha256']),
    members: count('members'),
    hasRequiredMember: record['required_member'] === true,
    expandedDjangoRay: asText(record['expanded_django_ray']),
    error: asText(record['error']),
  };
}
