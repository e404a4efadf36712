import { describe, expect, it } from 'vitest';
import { noKubeconfigReason } from '../../src/lab/owner.js';

describe('a lab without its kubeconfig', () => {
  const paths = { kubeconfig: '/s/lab/kubeconfig', stateFolder: '/s/lab' };
  const missing = 'there is no kubeconfig /s/lab/kubeconfig';
  it.each([
    ['that never came up', undefined, `${missing}: raygate lab up makes it`],
    ["that is the machine's own", '/s/lab', `${missing}: raygate lab up makes it`],
    [
      'beside one whose state lies elsewhere',
      '/other/lab',
      `${missing}; the state of this machine's lab lies in /other/lab (RAYGATE_STATE says which is looked at)`,
    ],
  ])('%s says so', (_name, stateFolder, says) => {
    expect(noKubeconfigReason(stateFolder === undefined ? undefined : { stateFolder, project: '/p' }, paths)).toBe(
      says,
    );
  });
});
