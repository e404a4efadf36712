import { expect, it } from 'vitest';
import { optionalGroups } from '../../../src/api/access/optionalGroups.js';
import { synthController } from '../../../src/infra/charts/controller.js';
import { labPaths } from '../../../src/lab/paths.js';
import { allRules } from '../../contract/support/allRules.js';
import { readDiscovery } from '../../contract/support/discovery.js';
import { kubectlOn } from '../../contract/support/kubectl.js';
import { documentsOfCrds, unservedRules } from '../../contract/support/servedRules.js';
import { raygate } from '../command.js';

it('each rule names what a lab with KubeRay and Kueue serves, what the controller brings, or a group that may be lacking', async () => {
  expect((await raygate(['lab', 'up', '--with-kueue'])).code).toBe(0);
  const documents = [...(await readDiscovery(kubectlOn(labPaths().kubeconfig))), ...documentsOfCrds(synthController())];
  const lacking = Object.keys(optionalGroups).filter((group) => !['kueue.x-k8s.io', 'ray.io'].includes(group));
  expect(unservedRules(allRules(), documents, lacking)).toEqual([]);
});
