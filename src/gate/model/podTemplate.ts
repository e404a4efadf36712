import { asRecord, asTextMap, at, type Json } from './json.js';

/** What a template, or a pod that was made of one, says of its pod. */
export interface PodTemplate {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Json;
}

/** Reads the `metadata` and `spec` of a pod template or of a pod. */
export function readPodTemplate(value: unknown): PodTemplate {
  return {
    labels: asTextMap(at(value, 'metadata', 'labels')),
    annotations: asTextMap(at(value, 'metadata', 'annotations')),
    spec: asRecord(at(value, 'spec')),
  };
}
