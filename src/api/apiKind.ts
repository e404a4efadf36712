import { apiGroup, apiVersionName } from './names.js';
import type { ObjectSchema, Validation } from './schema.js';

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
}

/** One kind of the workspace API, everything that its CRD says. */
export interface ApiKind {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortName: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly description: string;
  readonly spec: ObjectSchema;
  readonly status: ObjectSchema;
  readonly columns: readonly PrinterColumn[];
  /** CEL on the whole object. */
  readonly validations?: readonly Validation[];
}

export const ageColumn: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** The CustomResourceDefinition of a kind, as plain JSON. `spec` is required: its rules would not run on an object without one. */
export function customResourceDefinition(of: ApiKind): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${of.plural}.${apiGroup}` },
    spec: {
      group: apiGroup,
      scope: of.scope,
      names: {
        kind: of.kind,
        listKind: `${of.kind}List`,
        plural: of.plural,
        singular: of.singular,
        shortNames: [of.shortName],
      },
      versions: [
        {
          name: apiVersionName,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: of.columns,
          schema: { openAPIV3Schema: rootSchema(of) },
        },
      ],
    },
  };
}

function rootSchema({ description, spec, status, validations }: ApiKind): Readonly<Record<string, unknown>> {
  return {
    type: 'object',
    description,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec,
      status,
    },
    ...(validations ? { 'x-kubernetes-validations': validations } : {}),
  };
}
