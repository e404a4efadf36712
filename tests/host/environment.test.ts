import { describe, expect, test } from 'vitest';
import { type ChildKind, childEnvironment, droppedVariables } from '../../src/host/environment.js';

const rows = Object.entries(droppedVariables).flatMap(([kind, names]) =>
  names.map((name) => [kind as ChildKind, name] as const),
);

describe('what a child must not inherit', () => {
  test.each(rows)('%s never sees %s, in upper or lower case', (kind, name) => {
    const ambient = { [name]: 'hostile', [name.toLowerCase()]: 'hostile', MARKER: 'kept' };
    expect(childEnvironment(kind, {}, ambient)).toEqual({ MARKER: 'kept' });
  });

  test("Pulumi's own secrets reach no child", () => {
    expect(childEnvironment('git', {}, { PULUMI_CONFIG_PASSPHRASE: 'x', PULUMI_ACCESS_TOKEN: 'x' })).toEqual({});
  });

  test('what was chosen is there, whatever the ambient value was', () => {
    const chosen = { DOCKER_HOST: 'unix:///pinned' };
    expect(childEnvironment('docker', chosen, { DOCKER_HOST: 'tcp://hostile:1', DOCKER_CONTEXT: 'x' })).toEqual(chosen);
  });
});
