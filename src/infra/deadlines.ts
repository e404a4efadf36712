import { z } from 'zod';
import { nearMatch } from './nearMatch.js';

/**
 * How long each part of a run may take, in seconds, when the settings say nothing. The names are the gate's layers, and
 * `lease`, `watch-silence`, `request` (one API or HTTP request) and `command` (one child process: git, docker, kind).
 */
export const defaultDeadlineSeconds = {
  preflight: 120,
  /** Each image build, and each load into a kind node. */
  images: 1200,
  /** Accepted work is waited for this long before the run gives up; it is never cut off. */
  drain: 900,
  /** From the first object applied to PostgreSQL's readiness. */
  apply: 300,
  setup: 300,
  workloads: 300,
  ray: 300,
  rollouts: 300,
  'app-convergence': 300,
  'image-identity': 120,
  'runtime-env': 120,
  probes: 120,
  /** Each task of the smoke test, from enqueue to its result. */
  'api-smoke': 180,
  /** Scraping every 15 s dominates. 0 means: look once. */
  prometheus: 120,
  'final-identity': 120,
  /** The Lease of a gate that does not renew it for this long is another's. It is renewed three times as often. */
  lease: 30,
  /** A watch that hears nothing for this long is begun anew. An API server is heard every 60 s (seen on Kubernetes 1.35.4). */
  'watch-silence': 90,
  request: 30,
  command: 120,
} as const;

export type DeadlineName = keyof typeof defaultDeadlineSeconds;
/** Seconds by name. */
export type Deadlines = Readonly<Record<DeadlineName, number>>;

const names = Object.keys(defaultDeadlineSeconds) as DeadlineName[];
const longestSeconds = 86_400;

/** `raygate:deadlines`, an object of seconds by name; Pulumi hands it over as JSON text. What it leaves out has its default. */
export const deadlinesSchema = z
  .string()
  .default('{}')
  .transform((text, context): Deadlines => {
    const given = readObject(text);
    if (given === undefined) {
      context.addIssue({ code: 'custom', message: 'must be an object of seconds by name, such as {"ray": 600}' });
      return z.NEVER;
    }
    const seconds: Record<string, number> = { ...defaultDeadlineSeconds };
    for (const [name, value] of Object.entries(given)) {
      const problem = problemOf(name, value);
      if (problem) context.addIssue({ code: 'custom', path: [name], message: problem });
      else seconds[name] = Number(value);
    }
    return seconds as Deadlines;
  });

/** A number of seconds by itself, as text. */
export function wholeSeconds(byDefault: number) {
  return z
    .string()
    .default(String(byDefault))
    .transform((text, context): number => {
      const problem = problemOfSeconds(text, 1);
      if (problem === undefined) return Number(text);
      context.addIssue({ code: 'custom', message: problem });
      return z.NEVER;
    });
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!(names as readonly string[]).includes(name)) {
    const near = nearMatch(name, names);
    return `is no deadline${near ? `; did you mean ${near}?` : `; the names are ${names.join(', ')}`}`;
  }
  return problemOfSeconds(value, name === 'prometheus' ? 0 : 1);
}

function problemOfSeconds(value: unknown, least: number): string | undefined {
  const seconds = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value;
  if (Number.isInteger(seconds) && (seconds as number) >= least && (seconds as number) <= longestSeconds)
    return undefined;
  return `must be a whole number of seconds from ${least} to ${longestSeconds}, not ${JSON.stringify(value)}`;
}
