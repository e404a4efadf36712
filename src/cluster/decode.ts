import { z } from 'zod';
import { parseJson } from './api.js';
import type { KindRef, KubeObject } from './objects.js';

const metadataSchema = z.looseObject({
  name: z.string().min(1),
  namespace: z.string().optional(),
  uid: z.string().optional(),
  resourceVersion: z.string().optional(),
  generation: z.number().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
  deletionTimestamp: z.string().nullish(),
  creationTimestamp: z.string().nullish(),
});

const objectSchema = z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: metadataSchema });

const itemSchema = z.looseObject({ metadata: metadataSchema });

const listSchema = z.looseObject({
  metadata: z.looseObject({
    resourceVersion: z.string().min(1),
    continue: z.string().optional(),
    remainingItemCount: z.number().optional(),
  }),
  items: z.array(itemSchema).nullish(),
});

/** An object as the API server writes it; `undefined` for anything else. */
export function decodeObject(value: unknown): KubeObject | undefined {
  return objectSchema.safeParse(value).success ? (value as KubeObject) : undefined;
}

export function decodeObjectText(text: string): KubeObject | undefined {
  return decodeObject(parseJson(text));
}

export interface ListPage {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  /** Empty on the last page. */
  readonly next: string;
  /** Objects behind this page, when the API server says. */
  readonly remaining: number | undefined;
}

/** A page of a list; its items get the kind that was asked for, because the API server leaves it out. */
export function decodePage(text: string, kind: KindRef): ListPage | undefined {
  const value = parseJson(text);
  if (!listSchema.safeParse(value).success) return undefined;
  const page = value as {
    items?: KubeObject[] | null;
    metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
  };
  const { apiVersion, kind: name } = kind;
  return {
    items: (page.items ?? []).map((item) => ({ ...item, apiVersion, kind: name })),
    resourceVersion: page.metadata.resourceVersion,
    next: page.metadata.continue ?? '',
    remaining: page.metadata.remainingItemCount,
  };
}
