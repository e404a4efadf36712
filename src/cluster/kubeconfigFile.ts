import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { kubeconfigError } from './kubeconfigError.js';

const mapping = z.record(z.string(), z.unknown());

const clusterSchema = z.looseObject({
  server: z.string(),
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': z.string().optional(),
  'tls-server-name': z.string().optional(),
  'proxy-url': z.unknown().optional(),
  'insecure-skip-tls-verify': z.unknown().optional(),
});

const contextSchema = z.looseObject({ cluster: z.string(), user: z.string(), namespace: z.string().optional() });

// Only the entries that the context names are looked into: another cluster's odd entry is none of our business.
const named = z.array(z.looseObject({ name: z.string() })).nullish();

const fileSchema = z.looseObject({
  'current-context': z.string().optional(),
  clusters: named,
  contexts: named,
  users: named,
});

export type ClusterEntry = z.infer<typeof clusterSchema>;
export type ContextEntry = z.infer<typeof contextSchema>;
export type UserEntry = Readonly<Record<string, unknown>>;

/** One context of a kubeconfig with the cluster and the user that it names, as the file has them. */
export interface ContextSelection {
  readonly name: string;
  readonly context: ContextEntry;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
}

/**
 * Takes one context out of a kubeconfig's text (YAML or JSON). Without `context`, the file's own current context. Errors
 * say which part is wrong and never what it holds.
 */
export function selectContext(text: string, path: string, context: string | undefined): ContextSelection {
  const file = parseFile(text, path);
  const name = context ?? file['current-context'];
  if (!name) {
    throw kubeconfigError(
      'context-unknown',
      `${path} has no current-context: name one with --context or raygate:context`,
    );
  }
  const known = file.contexts ?? [];
  if (!known.some((entry) => entry.name === name)) {
    const names = known.map((entry) => JSON.stringify(entry.name)).join(', ') || 'none';
    throw kubeconfigError(
      'context-unknown',
      `context ${JSON.stringify(name)} is not in ${path} (it has ${names}): choose one with --context or raygate:context`,
    );
  }
  const chosen = single(known, 'context', name, contextSchema, path);
  return {
    name,
    context: chosen,
    cluster: single(file.clusters ?? [], 'cluster', chosen.cluster, clusterSchema, path),
    user: single(file.users ?? [], 'user', chosen.user, mapping, path),
  };
}

function parseFile(text: string, path: string): z.infer<typeof fileSchema> {
  const result = fileSchema.safeParse(readYaml(text, path));
  if (result.success) return result.data;
  throw kubeconfigError('malformed', `${path} is not a kubeconfig: it must be YAML with clusters, contexts and users`);
}

/** The parser's error quotes the text, credentials included: only its code and the line go further. */
function readYaml(text: string, path: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter });
  const [error] = document.errors;
  if (error) {
    const { line } = lineCounter.linePos(error.pos[0]);
    const why = error.code.toLowerCase().replaceAll('_', ' ');
    throw kubeconfigError('malformed', `${path} is not YAML: ${why} in line ${line}; mend it there`);
  }
  try {
    return document.toJS();
  } catch {
    throw kubeconfigError('malformed', `${path} cannot be read: its aliases cannot be followed`);
  }
}

function single<T extends z.ZodType>(
  entries: readonly { name: string; [field: string]: unknown }[],
  field: string,
  name: string,
  schema: T,
  path: string,
): z.infer<T> {
  const matches = entries.filter((entry) => entry.name === name);
  if (matches.length !== 1) {
    throw kubeconfigError(
      'malformed',
      `${path} has ${matches.length} ${field} entries named ${JSON.stringify(name)}, not one`,
    );
  }
  const result = schema.safeParse(matches[0]?.[field]);
  if (result.success) return result.data;
  const fields = result.error.issues.map((issue) => issue.path.join('.') || field).join(', ');
  throw kubeconfigError('malformed', `${field} ${JSON.stringify(name)} in ${path} is malformed: ${fields}`);
}
