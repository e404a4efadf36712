import { declaredAccess } from '../../api/access/declaredAccess.js';
import { defaultSystemNamespace } from '../../api/names.js';
import { controllerClusterKinds, synthController } from '../../infra/charts/controller.js';
import { synthOverlay } from '../../infra/charts/overlay.js';
import { applicationRepository, controllerRepository } from '../../infra/images.js';
import type { InventoryExpectation } from '../../infra/inventory/check.js';
import { stackNamespace } from '../../infra/names.js';
import type { PlannedObject } from '../../infra/plannedObject.js';
import { placeholderArchiveUri, placeholderReleaseTag, placeholderSourceTree } from '../../infra/releaseTag.js';
import { renderAccessTable } from '../../infra/render/accessTable.js';
import type { Files } from '../../infra/render/files.js';
import type { HelmChart } from '../../infra/render/helm/chart.js';
import { controllerChart } from '../../infra/render/helm/controllerChart.js';
import { overlayChart } from '../../infra/render/helm/overlayChart.js';
import { controllerVersion } from '../../infra/versions.js';

/** One chart that can be rendered without a cluster. */
export interface SynthChart {
  readonly objects: () => readonly PlannedObject[];
  readonly expectation: Omit<InventoryExpectation, 'declared'>;
  readonly helm: (objects: readonly PlannedObject[]) => HelmChart;
  /** Files beside its forms. Default: none. */
  readonly beside?: () => Files;
}

/** Placeholders stand for what only a build knows, so that the same sources always render the same bytes. */
const overlay: SynthChart = {
  objects: () =>
    synthOverlay({
      profile: 'full',
      releaseTag: placeholderReleaseTag,
      sourceTree: placeholderSourceTree,
      archiveUri: placeholderArchiveUri,
      runtimeEnvAccess: 'RWX',
    }),
  expectation: {
    namespace: stackNamespace,
    releaseTag: placeholderReleaseTag,
    repository: applicationRepository,
  },
  helm: overlayChart,
};

const controller: SynthChart = {
  objects: () => synthController(),
  expectation: {
    namespace: defaultSystemNamespace,
    releaseTag: controllerVersion,
    repository: controllerRepository,
    clusterKinds: controllerClusterKinds,
  },
  helm: controllerChart,
  beside: () => new Map([['access.md', renderAccessTable(declaredAccess)]]),
};

export type SynthChartName = 'controller' | 'overlay';
export const synthCharts: Readonly<Record<SynthChartName, SynthChart>> = { controller, overlay };
export const synthChartNames = Object.keys(synthCharts) as readonly SynthChartName[];
