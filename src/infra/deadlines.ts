import { z } from 'zod';
import { nearMatch } from './nearMatch.js';

/**
 * How long each part of a run may take, in seconds, when the settings say nothing. The names are the gate's layers, and
 * `request` (one API or HTTP request), `command` (one child process: git, docker, kind) and `stuck` (a pod that does not get on).
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
  request: 30,
  command: 120,
  /** A pod that has no node, or is terminating beyond its own grace period, for this long will not get on by itself. */
  stuck: 120,
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
  const seconds = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value;
  const least = name === 'prometheus' ? 0 : 1;
  if (Number.isInteger(seconds) && (seconds as number) >= least && (seconds as number) <= longestSeconds)
    return undefined;
  return `must be a whole number of seconds from ${least} to ${longestSeconds}, not ${JSON.stringify(value)}`;
}
