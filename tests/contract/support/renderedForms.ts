import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SynthChartName } from '../../../src/cli/synth/charts.js';
import type { SynthFormat } from '../../../src/cli/synth/renderManifests.js';

const run = promisify(execFile);
const maxBuffer = 64 * 1024 * 1024;

export const namespaceOf: Readonly<Record<SynthChartName, string>> = {
  controller: 'tau-system',
  overlay: 'django-ray',
};

/** With these a Helm chart renders every object of its chart. */
const whole: Readonly<Record<SynthChartName, readonly string[]>> = {
  controller: ['--set', 'namespace.create=true'],
  overlay: ['--set', 'namespace.create=true', '--set', 'secret.create=true'],
};

export interface RenderedForms {
  /** Holds `CHART/FORMAT/…`, as `raygate synth` writes it. */
  readonly folder: string;
  readonly kubectl: string;
  readonly helm: string;
}

/** One form of a chart as the tool that reads it renders it: one YAML stream. */
export async function renderedForm(
  { folder, kubectl, helm }: RenderedForms,
  chart: SynthChartName,
  format: SynthFormat,
): Promise<string> {
  const at = join(folder, chart, format);
  switch (format) {
    case 'yaml':
      return readFile(join(at, `${chart}.yaml`), 'utf8');
    case 'kustomize':
      return (await run(kubectl, ['kustomize', at], { maxBuffer })).stdout;
    case 'helm': {
      const argv = ['template', 'release', at, '--include-crds', '--namespace', namespaceOf[chart], ...whole[chart]];
      return (await run(helm, argv, { maxBuffer })).stdout;
    }
  }
}
