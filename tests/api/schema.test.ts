import { describe, expect, expectTypeOf, it } from 'vitest';
import { customResourceDefinition } from '../../src/api/apiKind.js';
import { apiKinds } from '../../src/api/apiKinds.js';
import type { FromSchema, Schema } from '../../src/api/schema.js';
import type { TauWorkspace } from '../../src/api/workspace.js';
import type { WorkspaceSpec } from '../../src/api/workspaceSpec.js';

describe('FromSchema', () => {
  it('reads required, optional, nullable, enum, list and nested fields off a literal', () => {
    const schema = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
        ttl: { type: 'integer', format: 'int64', nullable: true },
        on: { type: 'boolean' },
        list: { type: 'array', items: { type: 'object', required: ['x'], properties: { x: { type: 'string' } } } },
      },
    } as const satisfies Schema;
    expectTypeOf<FromSchema<typeof schema>>().branded.toEqualTypeOf<{
      readonly name: string;
      readonly mode?: 'a' | 'b';
      readonly ttl?: number | null;
      readonly on?: boolean;
      readonly list?: readonly { readonly x: string }[];
    }>();
  });

  it('gives the workspace its types', () => {
    expectTypeOf<NonNullable<WorkspaceSpec['role']>>().toEqualTypeOf<'researcher' | 'tau-researcher-v1'>();
    expectTypeOf<NonNullable<WorkspaceSpec['quota']>[number]['nominalQuota']>().toEqualTypeOf<string>();
    expectTypeOf<TauWorkspace['kind']>().toEqualTypeOf<'TauWorkspace'>();
    // @ts-expect-error a workload identity needs both fields
    const half: WorkspaceSpec = { workloadIdentity: { serviceAccountName: 'runner' } };
    expect(half).toBeDefined();
  });
});

// biome-ignore lint/suspicious/noExplicitAny: schemas are walked by path here
type Any = any;

/** Every schema below one, with its path. */
function* schemas(schema: Any, path: string): Generator<{ path: string; schema: Any }> {
  yield { path, schema };
  if (schema.items) yield* schemas(schema.items, `${path}[]`);
  for (const [name, child] of Object.entries(schema.properties ?? {})) yield* schemas(child, `${path}.${name}`);
}

const everySchema = apiKinds.flatMap((kind) => {
  const crd = customResourceDefinition(kind) as Any;
  return [...schemas(crd.spec.versions[0].schema.openAPIV3Schema, kind.kind)];
});

describe('the schemas', () => {
  it('are of the four kinds', () => {
    expect(apiKinds.map(({ kind, plural, shortName, scope }) => [kind, plural, shortName, scope])).toEqual([
      ['TauCluster', 'clusters', 'tc', 'Cluster'],
      ['TauTeam', 'teams', 'tt', 'Namespaced'],
      ['TauWorkspace', 'workspaces', 'tw', 'Namespaced'],
      ['TauQuotaRequest', 'quotarequests', 'tqr', 'Namespaced'],
    ]);
  });

  it('require only fields that they have, and make map keys required', () => {
    for (const { path, schema } of everySchema) {
      for (const name of schema.required ?? []) expect(schema.properties, `${path}.${name}`).toHaveProperty(name);
      for (const key of schema['x-kubernetes-list-map-keys'] ?? [])
        expect(schema.items.required, `${path}: key ${key}`).toContain(key);
    }
  });

  it('bound every list whose items have rules', () => {
    const withRules = everySchema.filter(({ schema }) =>
      schema.type === 'array' ? JSON.stringify(schema.items).includes('x-kubernetes-validations') : false,
    );
    expect(withRules.map(({ path }) => path)).toContain('TauWorkspace.spec.quota');
    for (const { path, schema } of withRules) expect(schema.maxItems, path).toBeGreaterThan(0);
  });

  it('give each rule a message that says what to do', () => {
    const rules = everySchema.flatMap(({ schema }) => schema['x-kubernetes-validations'] ?? []);
    expect(rules.length).toBeGreaterThan(4);
    for (const { message } of rules) expect(message.length).toBeGreaterThan(20);
  });
});
