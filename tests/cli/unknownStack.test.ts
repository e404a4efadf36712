import { describe, expect, it } from 'vitest';
import { provenCommit } from '../../src/cli/trigger/provenCommit.js';

describe('what was last proven', () => {
  it.each(['../../x', 'kind-none-of-this-name', ''])(
    'is refused for a stack without file and state: %j',
    async (stack) => {
      await expect(provenCommit(stack)).rejects.toMatchObject({
        layer: 'usage',
        code: 'usage.unknown-stack',
        message: expect.stringContaining(`there is no stack ${JSON.stringify(stack)}: `),
      });
    },
  );
});
