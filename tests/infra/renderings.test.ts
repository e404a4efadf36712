import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inApplyOrder } from '../../src/infra/render/applyOrder.js';
import { canonicalJson } from '../../src/infra/render/canonicalJson.js';
import { renderHelmChart } from '../../src/infra/render/helm/chart.js';
import { renderTemplate } from '../../src/infra/render/helm/openings.js';
import { type ChartValue, renderValues, renderValuesSchema } from '../../src/infra/render/helm/values.js';
import { renderKustomize } from '../../src/infra/render/kustomize.js';
import { objectFileNames } from '../../src/infra/render/objectFileName.js';
import { configMap, deployment, namespace, planned } from '../builders/plan.js';

describe('inApplyOrder', () => {
  it('goes by phase, then by what others refer to, then by identity', () => {
    const objects = [
      planned(deployment('b'), 'rollout'),
      planned(deployment('web'), 'workload'),
      planned(deployment('postgres')),
      planned(configMap('b')),
      planned(configMap('a')),
      planned(namespace()),
    ];
    expect(inApplyOrder(objects).map(({ construct }) => construct)).toEqual([
      'test/django-ray',
      'test/a',
      'test/b',
      'test/postgres',
      'test/web',
      'test/b',
    ]);
  });
});

describe('objectFileNames', () => {
  it('are safe on every file system', () => {
    const object = planned(configMap('System:Auth/x'));
    expect(objectFileNames([object]).get(object)).toBe('configmap-system-auth-x.yaml');
  });

  it('are never given twice', () => {
    expect(() => objectFileNames([planned(configMap('a:b')), planned(configMap('a-b'))])).toThrow(
      'v1/ConfigMap/django-ray/a-b and v1/ConfigMap/django-ray/a:b would both be written to configmap-a-b.yaml: rename one',
    );
  });
});

describe('renderKustomize', () => {
  it('lists each file once, in the order to apply them', () => {
    const files = renderKustomize([planned(configMap('a')), planned(namespace())]);
    const { resources } = parse(files.get('kustomization.yaml') ?? '');
    expect(resources).toEqual(['namespace-django-ray.yaml', 'configmap-a.yaml']);
    expect([...files.keys()].sort()).toEqual(['configmap-a.yaml', 'kustomization.yaml', 'namespace-django-ray.yaml']);
  });
});

describe('renderTemplate', () => {
  const given = (data: object) => configMap('x', { data });
  const line = (text: string, key: string) => text.split('\n').find((each) => each.trimStart().startsWith(`${key}:`));

  it('opens a scalar', () => {
    const text = renderTemplate(given({ a: '1' }), [{ at: ['data', 'a'], expression: '.Values.a | quote' }]);
    expect(line(text, 'a')).toBe('  a: {{ .Values.a | quote }}');
  });

  it('opens a whole object, with its lines where they belong', () => {
    const text = renderTemplate(given({ a: { b: 1 }, c: '2' }), [{ at: ['data', 'a'], object: '.Values.a' }]);
    expect(text).toContain('data:\n  a: {{- toYaml .Values.a | nindent 4 }}\n  c: "2"\n');
  });

  it('opens an item of a list of objects', () => {
    const text = renderTemplate(given({ list: [{ a: 'x', b: 'z' }] }), [
      { at: ['data', 'list', 0, 'a'], object: '.Values.a' },
    ]);
    expect(text).toContain('    - a: {{- toYaml .Values.a | nindent 8 }}\n      b: z\n');
  });

  it('opens a text wherever it stands', () => {
    const text = renderTemplate(given({ a: 'image:TAG', b: 'TAG' }), [{ text: 'TAG', expression: '.Values.tag' }]);
    expect(text).toContain('  a: image:{{ .Values.tag }}\n  b: {{ .Values.tag | quote }}\n');
  });

  it('keeps braces of the object from Helm', () => {
    const text = renderTemplate(given({ legend: '{{instance}} of {{job}}' }), []);
    expect(line(text, 'legend')).toBe('  legend: "{{ "{{" }}instance}} of {{ "{{" }}job}}"');
  });

  it.each([
    { name: 'a path that leads nowhere', at: ['data', 'none'] },
    { name: 'a path through a scalar', at: ['data', 'a', 'b', 'c'] },
  ])('leaves out $name', ({ at }) => {
    expect(renderTemplate(given({ a: '1' }), [{ at, expression: '.Values.a' }])).not.toContain('{{');
  });

  it('does not change the object', () => {
    const manifest = given({ a: '1' });
    renderTemplate(manifest, [{ at: ['data', 'a'], expression: '.Values.a' }]);
    expect(manifest).toEqual(given({ a: '1' }));
  });

  it('tells ten openings and more apart', () => {
    const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);
    const data = Object.fromEntries(keys.map((key) => [key, '']));
    const openings = keys.map((key) => ({ at: ['data', key], expression: `.Values.${key}` }));
    const text = renderTemplate(given(data), openings);
    for (const key of keys) expect(line(text, key)).toBe(`  ${key}: {{ .Values.${key} }}`);
  });
});

const values: readonly ChartValue[] = [
  { path: 'image.tag', default: '1.0', meaning: 'Tag.' },
  { path: 'image.digest', default: '', meaning: 'Digest.' },
  { path: 'replicas', default: 1, meaning: 'Pods.' },
  { path: 'resources', default: { limits: { cpu: '1' } }, meaning: 'Bounds.' },
  { path: 'rbac.create', default: true, meaning: 'Roles.' },
];

describe("a chart's values", () => {
  it('are rendered with their defaults and meanings, and read back as they are', () => {
    const text = renderValues(values);
    expect(text.startsWith('image:\n  # Tag.\n  tag: "1.0"\n  # Digest.\n  digest: ""\n# Pods.\nreplicas: 1\n')).toBe(
      true,
    );
    expect(parse(text)).toEqual({
      image: { tag: '1.0', digest: '' },
      replicas: 1,
      resources: { limits: { cpu: '1' } },
      rbac: { create: true },
    });
  });

  it('have a schema that knows each type and takes no other value', () => {
    expect(JSON.parse(renderValuesSchema(values))).toMatchObject({
      additionalProperties: false,
      properties: {
        image: { additionalProperties: false, properties: { tag: { type: 'string' }, digest: { type: 'string' } } },
        replicas: { type: 'integer', minimum: 0 },
        resources: { type: 'object' },
        rbac: { additionalProperties: false, properties: { create: { type: 'boolean' } } },
      },
    });
  });
});

describe('renderHelmChart', () => {
  const chart = {
    name: 'it',
    version: '1.2.3',
    description: 'It',
    values,
    helpers: '',
    notes: '',
    openingsOf: () => [],
    conditionOf: ({ identity }: { identity: string }) => (identity.includes('/a') ? '.Values.rbac.create' : undefined),
  };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.org' },
    spec: { note: '{{ not a template }}' },
  };

  it('puts conditions around what has one, and kinds where Helm takes them as they are', () => {
    const files = renderHelmChart([planned(crd), planned(configMap('a')), planned(configMap('b'))], chart);
    expect(files.get('templates/configmap-a.yaml')).toMatch(
      /^\{\{- if \.Values\.rbac\.create \}\}\n---\n[\s\S]*\{\{- end \}\}\n$/,
    );
    expect(files.get('templates/configmap-b.yaml')).not.toContain('{{');
    expect(files.get('crds/customresourcedefinition-things.example.org.yaml')).toContain('{{ not a template }}');
    expect(parse(files.get('Chart.yaml') ?? '')).toMatchObject({ apiVersion: 'v2', name: 'it', version: '1.2.3' });
  });
});

describe('canonicalJson', () => {
  it('is the same for equal data, whatever the order of keys, and keeps that of lists', () => {
    expect(canonicalJson({ b: [2, { d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[2,{"c":null,"d":1}]}');
  });
});
