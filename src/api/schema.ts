/**
 * Structural schemas as the API server takes them (OpenAPI v3 of apiextensions.k8s.io/v1), written as literals, and the
 * TypeScript type that each one stands for.
 *
 * One literal gives both: what the server stores is what the compiler knows, with no generator between them that could be
 * forgotten, no library at run time, and every keyword of the API server (list maps, CEL, nullable) under its own name.
 */
export interface Validation {
  /** CEL. */
  readonly rule: string;
  /** What is wrong, then what to do. */
  readonly message: string;
}

interface Common {
  readonly description?: string;
  readonly nullable?: true;
  readonly 'x-kubernetes-validations'?: readonly Validation[];
}

export interface StringSchema extends Common {
  readonly type: 'string';
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: 'date-time';
  readonly default?: string;
}

export interface IntegerSchema extends Common {
  readonly type: 'integer';
  readonly format: 'int32' | 'int64';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface BooleanSchema extends Common {
  readonly type: 'boolean';
  readonly default?: boolean;
}

export interface ArraySchema extends Common {
  readonly type: 'array';
  readonly items: Schema;
  readonly maxItems?: number;
  readonly 'x-kubernetes-list-type'?: 'map' | 'set' | 'atomic';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

export interface ObjectSchema extends Common {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** Fields that this schema does not name are kept as they are, not dropped. */
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
}

export type Schema = StringSchema | IntegerSchema | BooleanSchema | ArraySchema | ObjectSchema;

/** The values that a schema literal (`as const`) admits. A field with a default is optional: whoever writes may leave it out. */
export type FromSchema<S> = S extends { readonly nullable: true } ? ValueOf<S> | null : ValueOf<S>;

type ValueOf<S> = S extends { readonly type: 'object'; readonly properties: infer P }
  ? FromProperties<P, RequiredOf<S>>
  : S extends { readonly type: 'array'; readonly items: infer I }
    ? readonly FromSchema<I>[]
    : S extends { readonly type: 'string'; readonly enum: readonly (infer E)[] }
      ? E
      : S extends { readonly type: 'string' }
        ? string
        : S extends { readonly type: 'integer' }
          ? number
          : S extends { readonly type: 'boolean' }
            ? boolean
            : never;

type RequiredOf<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

type FromProperties<P, R> = { readonly [K in keyof P as K extends R ? K : never]: FromSchema<P[K]> } & {
  readonly [K in keyof P as K extends R ? never : K]?: FromSchema<P[K]>;
};
