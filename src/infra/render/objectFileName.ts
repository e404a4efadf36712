import type { PlannedObject } from '../plannedObject.js';

/**
 * A file name for each object: `deployment-django-web.yaml`, safe on every file system.
 * @throws Error when two objects would share one.
 */
export function objectFileNames(objects: readonly PlannedObject[]): ReadonlyMap<PlannedObject, string> {
  const taken = new Map<string, string>();
  return new Map(
    objects.map((object) => {
      const { kind, metadata } = object.manifest as { kind: string; metadata: { name: string } };
      const name = `${kind}-${metadata.name}`.toLowerCase().replace(/[^a-z0-9.-]/g, '-');
      const other = taken.get(name);
      if (other) throw new Error(`${object.identity} and ${other} would both be written to ${name}.yaml: rename one`);
      taken.set(name, object.identity);
      return [object, `${name}.yaml`];
    }),
  );
}
