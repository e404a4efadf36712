import { join } from 'node:path';
import { addresses } from '../addresses.js';
import type { Component, LabContext } from './component.js';
import { cgroupParent, runtimeEnvironment } from './containerd.js';
import { httpHealth } from './probe.js';

/**
 * dockerd 29 on the lab's containerd, in the kubelet's own name space: what `docker build` makes is where the kubelet looks,
 * as in Docker Desktop. Its bridge is made by the lab and it writes no packet rules.
 */
export function dockerd(lab: LabContext): Component {
  const { paths } = lab;
  return {
    name: 'dockerd',
    after: ['containerd'],
    startLimitSeconds: 60,
    daemon: {
      name: 'dockerd',
      file: lab.binary('dockerd'),
      argv: [
        '--config-file',
        join(paths.configFolder, 'dockerd.json'),
        '--host',
        `unix://${paths.dockerSocket}`,
        '--data-root',
        paths.dockerFolder,
        '--exec-root',
        join(paths.runFolder, 'docker'),
        '--pidfile',
        join(paths.runFolder, 'dockerd.pid'),
        '--containerd',
        paths.containerdSocket,
        '--containerd-namespace',
        'k8s.io',
        '--feature',
        'containerd-snapshotter=true',
        '--bridge',
        addresses.dockerBridge,
        '--iptables=false',
        '--ip6tables=false',
        '--cgroup-parent',
        `${cgroupParent}/docker`,
        // Without a proxy program of its own dockerd refuses to start with it on; no port is ever published here.
        '--userland-proxy=false',
      ],
      environment: runtimeEnvironment(lab),
      files: [{ path: join(paths.configFolder, 'dockerd.json'), content: '{}\n' }],
      // Left by a killed one it stops the next: its pid may be another's, or a zombie's, by then.
      stale: [join(paths.runFolder, 'dockerd.pid')],
    },
    // A ping answers without containerd; asking for an image that nobody has (404) goes through to it.
    probe: () => httpHealth({ socketPath: paths.dockerSocket, path: '/images/raygate-lab-nobody/json', expect: 404 }),
  };
}
