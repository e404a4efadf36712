import { workspaceReaderRules } from '../../../src/api/access/handedOut.js';
import { gateAccess } from '../../../src/gate/model/declaredAccess.js';
import { synthController } from '../../../src/infra/charts/controller.js';
import { synthEnforcement } from '../../../src/infra/charts/enforcement.js';
import { synthOverlay } from '../../../src/infra/charts/overlay.js';
import { placeholderArchiveUri, placeholderReleaseTag, placeholderSourceTree } from '../../../src/infra/releaseTag.js';
import { type PlacedRule, rulesOfObjects } from './servedRules.js';

/** Every rule that this repository gives to anybody: the controller's, the overlay's, the deployer's, and a workspace's reader's. */
export function allRules(): readonly PlacedRule[] {
  const overlay = synthOverlay({
    profile: 'full',
    releaseTag: placeholderReleaseTag,
    sourceTree: placeholderSourceTree,
    archiveUri: placeholderArchiveUri,
    runtimeEnvAccess: 'RWX',
  });
  const objects = [
    ...synthController(),
    ...overlay,
    ...synthEnforcement({ objects: overlay, gate: gateAccess, retired: [] }),
  ];
  const reader = workspaceReaderRules('vision').map((rule) => ({ where: "a workspace's reader", rule }));
  return [...rulesOfObjects(objects), ...reader];
}
