import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dockerEndpointProblem } from '../../src/host/dockerEndpoint.js';

describe('a Docker endpoint is accepted only when it is this machine', () => {
  test.each([
    'unix:///var/run/docker.sock',
    'unix:///home/user/.docker/run/docker.sock',
    'npipe:////./pipe/docker_engine',
    'NPIPE:////./pipe/dockerDesktopLinuxEngine',
    'tcp://127.0.0.1:2375',
    'tcp://localhost:2376/',
    'http://[::1]:2375',
    'https://host.docker.internal:2376',
  ])('%s', (endpoint) => {
    expect(dockerEndpointProblem(endpoint)).toBeUndefined();
  });

  test.each([
    ['ssh leads elsewhere', 'ssh://user@host'],
    ['a public address', 'tcp://203.0.113.7:2375'],
    ['a private network', 'https://192.168.1.5:2376'],
    ['a host whose name only begins like ours', 'tcp://localhost.example.com:2375'],
    ['no port', 'tcp://localhost'],
    ['port 0', 'tcp://localhost:0'],
    ['a path', 'tcp://localhost:2375/x'],
    ['a pipe of another machine', 'npipe:////server/pipe/docker_engine'],
    ['a unix authority', 'unix://host/var/run/docker.sock'],
    ['a unix root', 'unix:///'],
    ['user information', 'tcp://user:secret-word@localhost:2375'],
    ['a query', 'unix:///var/run/docker.sock?x=1'],
    ['a fragment', 'tcp://localhost:2375#x'],
    ['a space', 'unix:///var/run/docker .sock'],
    ['nothing', ''],
    ['an unknown scheme', 'fd://'],
    ['too much', `unix:///${'a'.repeat(2100)}`],
  ])('%s is refused', (_, endpoint) => {
    expect(dockerEndpointProblem(endpoint)).toBeTypeOf('string');
  });

  test('the reason never repeats the endpoint', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{12}$/), (marker) => {
        for (const endpoint of [
          `tcp://u:${marker}@localhost:1`,
          `ssh://${marker}`,
          `tcp://${marker}:2375`,
          `unix://${marker}/x`,
        ]) {
          expect(dockerEndpointProblem(endpoint)).not.toContain(marker);
        }
      }),
    );
  });
});
