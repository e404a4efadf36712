import type { PlannedObject } from '../../plannedObject.js';
import { yamlText } from '../../yamlText.js';
import { inApplyOrder } from '../applyOrder.js';
import type { Files } from '../files.js';
import { objectFileNames } from '../objectFileName.js';
import { renderYaml } from '../yaml.js';
import { type Opening, renderTemplate } from './openings.js';
import { type ChartValue, renderValues, renderValuesSchema } from './values.js';

/** What a Helm chart needs to know beside its objects. */
export interface HelmChart {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly values: readonly ChartValue[];
  /** Templates that others include: the text of `_helpers.tpl`. */
  readonly helpers: string;
  /** Printed after an installation. */
  readonly notes: string;
  readonly openingsOf: (object: PlannedObject) => readonly Opening[];
  /** The value that must be true for an object to be rendered, such as `.Values.rbac.create`. Default: it always is. */
  readonly conditionOf: (object: PlannedObject) => string | undefined;
}

/**
 * Objects as a Helm chart. CustomResourceDefinitions go to `crds/`: Helm makes them before the rest and never deletes them, so
 * that an uninstalled chart takes no workspace along.
 */
export function renderHelmChart(objects: readonly PlannedObject[], chart: HelmChart): Files {
  const ordered = inApplyOrder(objects);
  const names = objectFileNames(ordered);
  const files: [string, string][] = ordered.map((object) => {
    const name = names.get(object) as string;
    return object.manifest['kind'] === 'CustomResourceDefinition'
      ? [`crds/${name}`, renderYaml([object])]
      : [`templates/${name}`, template(object, chart)];
  });
  const { name, version, description } = chart;
  const metadata = { apiVersion: 'v2', name, description, type: 'application', version, appVersion: version };
  return new Map([
    ['Chart.yaml', yamlText(metadata)],
    ['values.yaml', renderValues(chart.values)],
    ['values.schema.json', renderValuesSchema(chart.values)],
    ['templates/_helpers.tpl', chart.helpers],
    ['templates/NOTES.txt', chart.notes],
    ...files,
  ]);
}

function template(object: PlannedObject, chart: HelmChart): string {
  const text = renderTemplate(object.manifest, chart.openingsOf(object));
  const condition = chart.conditionOf(object);
  return condition === undefined ? text : `{{- if ${condition} }}\n${text}{{- end }}\n`;
}
