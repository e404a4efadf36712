import { GateError } from '../../core/gateError.js';
import { checkInventory } from '../../infra/inventory/check.js';
import type { PlannedObject } from '../../infra/plannedObject.js';
import { inApplyOrder } from '../../infra/render/applyOrder.js';
import { below, type Files } from '../../infra/render/files.js';
import { renderHelmChart } from '../../infra/render/helm/chart.js';
import { renderKustomize } from '../../infra/render/kustomize.js';
import { indexFile, manifestIndex } from '../../infra/render/manifestIndex.js';
import { renderYaml } from '../../infra/render/yaml.js';
import { type SynthChart, type SynthChartName, synthCharts } from './charts.js';

export const synthFormats = ['yaml', 'kustomize', 'helm'] as const;
export type SynthFormat = (typeof synthFormats)[number];

/**
 * The files of the charts in the formats, `CHART/FORMAT/…`, and their index. Needs no cluster, no Docker, no network and no
 * clock: the same sources give the same bytes.
 * @throws GateError `synth.inventory` when a chart does not pass its own inventory.
 */
export function renderManifests(charts: readonly SynthChartName[], formats: readonly SynthFormat[]): Files {
  const objects = new Map(charts.map((name) => [name, checkedObjects(name, synthCharts[name])]));
  const files = new Map<string, string>();
  const put = (folder: string, more: Files) => {
    for (const [path, text] of below(folder, more)) files.set(path, text);
  };
  for (const [name, each] of objects) {
    for (const format of formats) put(`${name}/${format}`, render(name, each, format));
    put(name, synthCharts[name].beside?.() ?? new Map());
  }
  const index = manifestIndex(objects, files);
  return new Map([[indexFile, `${JSON.stringify(index, null, 2)}\n`], ...files]);
}

function render(name: SynthChartName, objects: readonly PlannedObject[], format: SynthFormat): Files {
  switch (format) {
    case 'yaml':
      return new Map([[`${name}.yaml`, renderYaml(inApplyOrder(objects))]]);
    case 'kustomize':
      return renderKustomize(objects);
    case 'helm':
      return renderHelmChart(objects, synthCharts[name].helm(objects));
  }
}

function checkedObjects(name: string, chart: SynthChart): readonly PlannedObject[] {
  const objects = chart.objects();
  const [first, ...more] = checkInventory(objects, { ...chart.expectation, declared: objects });
  if (first === undefined) return objects;
  throw new GateError({
    layer: 'synth',
    code: 'synth.inventory',
    message: `chart ${name}: ${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`,
  });
}
