/** Kinds whose objects outlive the stack: a destroy leaves them, and nobody who deploys may delete them. */
export const keptKinds: ReadonlySet<string> = new Set(['Namespace', 'PersistentVolumeClaim']);
