import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { addresses } from '../addresses.js';
import { type Component, daemonEnvironment, type Health, type LabContext } from './component.js';

/** The cgroup above every pod and build of the lab: `down` finds in it all that must end. */
export const cgroupParent = '/raygate';

/**
 * containerd 2.3 with its CRI plugin: the one image store of the kubelet and of dockerd.
 * `restrict_oom_score_adj`: a machine without CAP_SYS_RESOURCE otherwise fails every sandbox.
 */
export function containerd(lab: LabContext): Component {
  const { paths } = lab;
  const config = join(paths.configFolder, 'containerd.toml');
  const cniFolder = join(paths.configFolder, 'cni');
  return {
    name: 'containerd',
    after: [],
    startLimitSeconds: 30,
    daemon: {
      name: 'containerd',
      file: lab.binary('containerd'),
      argv: ['--config', config],
      environment: runtimeEnvironment(lab),
      files: [
        { path: config, content: containerdConfig(lab, cniFolder) },
        { path: join(cniFolder, '10-raygate.conflist'), content: podNetwork(join(paths.runFolder, 'addresses')) },
      ],
    },
    probe: () => socketHealth(paths.containerdSocket),
  };
}

/** containerd and dockerd look the shim and `runc` up by name: the lab's own stand first on their PATH. */
export function runtimeEnvironment(lab: LabContext): Readonly<Record<string, string>> {
  const own = ['runc', 'containerd'].map((name) => dirname(lab.binary(name)));
  return daemonEnvironment({ PATH: [...own, '/usr/sbin', '/usr/bin', '/sbin', '/bin'].join(':') });
}

function containerdConfig(lab: LabContext, cniFolder: string): string {
  const { paths } = lab;
  const quote = (text: string) => JSON.stringify(text);
  return `version = 3
root = ${quote(paths.containerdFolder)}
state = ${quote(paths.containerdStateFolder)}
disabled_plugins = ["io.containerd.nri.v1.nri"]

[grpc]
address = ${quote(paths.containerdSocket)}

[ttrpc]
address = ${quote(`${paths.containerdSocket}.ttrpc`)}

[plugins.'io.containerd.cri.v1.images']
snapshotter = "overlayfs"

[plugins.'io.containerd.cri.v1.images'.pinned_images]
sandbox = "raygate-lab/pause:3.10"

[plugins.'io.containerd.cri.v1.runtime']
restrict_oom_score_adj = true
netns_mounts_under_state_dir = true

[plugins.'io.containerd.cri.v1.runtime'.cni]
bin_dirs = ["/usr/lib/cni"]
conf_dir = ${quote(cniFolder)}

[plugins.'io.containerd.cri.v1.runtime'.containerd]
default_runtime_name = "runc"

[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
BinaryName = ${quote(lab.binary('runc'))}
SystemdCgroup = false
`;
}

function podNetwork(dataDir: string): string {
  return JSON.stringify({
    cniVersion: '1.0.0',
    name: 'raygate',
    plugins: [
      {
        type: 'bridge',
        bridge: addresses.podBridge,
        isGateway: true,
        hairpinMode: true,
        // The masquerade rule is the lab's own, in its own chain: the plugin would leave a chain a pod behind a hard stop.
        ipMasq: false,
        ipam: {
          type: 'host-local',
          dataDir,
          ranges: [[{ subnet: addresses.podCidr, rangeStart: '10.244.0.10' }]],
          routes: [{ dst: '0.0.0.0/0' }],
        },
      },
    ],
  });
}

/** Healthy when something accepts a connection on the socket. */
function socketHealth(path: string): Promise<Health> {
  return new Promise((resolve) => {
    const socket = connect({ path, timeout: 2000 });
    const end = (healthy: boolean, why: string) => {
      socket.destroy();
      resolve({ healthy, why: `${path} ${why}` });
    };
    socket.once('connect', () => end(true, 'accepts'));
    socket.once('timeout', () => end(false, 'does not accept within 2 s'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(false, error.code ?? error.message));
  });
}
