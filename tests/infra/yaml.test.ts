import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { renderYaml } from '../../src/infra/render/yaml.js';
import { configMap } from '../builders/plan.js';

describe('renderYaml', () => {
  it('sorts keys, identity first, one document an object', () => {
    const manifest = { kind: 'ConfigMap', data: { b: 'on', a: '0755' }, apiVersion: 'v1', metadata: { name: 'x' } };
    expect(renderYaml([{ manifest }, { manifest: configMap() }])).toBe(
      [
        '---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: "0755"\n  b: "on"\n',
        '---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: django-ray\n',
      ].join(''),
    );
  });

  it('quotes what a reader would take for a merge of maps', () => {
    const manifest = configMap('x', { data: { '<<': '<<' } });
    expect(renderYaml([{ manifest }])).toContain('  "<<": "<<"\n');
  });

  it('reads back as what it was, whatever the texts', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: 'binary' })), (data) => {
        const manifest = configMap('x', { data });
        const [document] = parseAllDocuments(renderYaml([{ manifest }]), { version: '1.1' });
        expect(document?.toJS()).toEqual({ ...manifest, data: { ...data } });
      }),
    );
  });

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.integer()), (data) => {
        const reversed = Object.fromEntries(Object.entries(data).reverse());
        expect(renderYaml([{ manifest: configMap('x', { data }) }])).toBe(
          renderYaml([{ manifest: configMap('x', { data: reversed }) }]),
        );
      }),
    );
  });
});
