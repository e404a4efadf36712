import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { deadlineIn } from '../../core/deadline.js';
import { GateError } from '../../core/gateError.js';
import type { Progress } from '../../core/progress.js';
import { fileExists } from '../../host/fileExists.js';
import { run } from '../../host/process.js';
import { ports } from '../addresses.js';

/** Debian packages that the node and the image builds call, each with a file that proves it. */
const packages: readonly { readonly name: string; readonly file: string }[] = [
  { name: 'iptables', file: '/usr/sbin/iptables-restore' },
  { name: 'iproute2', file: '/usr/sbin/ip' },
  { name: 'procps', file: '/usr/sbin/sysctl' },
  { name: 'kmod', file: '/usr/sbin/modprobe' },
  { name: 'mmdebstrap', file: '/usr/bin/mmdebstrap' },
  { name: 'containernetworking-plugins', file: '/usr/lib/cni/bridge' },
  { name: 'busybox-static', file: '/bin/busybox' },
  { name: 'conntrack', file: '/usr/sbin/conntrack' },
  { name: 'ethtool', file: '/usr/sbin/ethtool' },
  { name: 'socat', file: '/usr/bin/socat' },
  { name: 'ipset', file: '/usr/sbin/ipset' },
  { name: 'gcc', file: '/usr/bin/gcc' },
  { name: 'libc6-dev', file: '/usr/include/stdio.h' },
  { name: 'libseccomp-dev', file: '/usr/include/seccomp.h' },
  { name: 'pkg-config', file: '/usr/bin/pkg-config' },
];

const instead = 'use your own cluster with --context NAME instead';

/** Refuses a machine that cannot host the lab, with the first thing that is missing. Changes nothing. */
export function assertHostable(platform: string, uid: number | undefined): void {
  const refuse = (what: string) =>
    new GateError({ layer: 'lab', code: 'lab.not-hostable', message: `the lab needs ${what}; ${instead}` });
  if (platform !== 'linux') throw refuse(`Linux, this is ${platform}`);
  if (uid !== 0) throw refuse(`root, this is uid ${uid ?? 'unknown'}`);
}

/** Refuses ports of the lab that a stranger holds. `ours` are the ports whose holders the lab started. */
export async function assertPortsFree(ours: ReadonlySet<number>): Promise<void> {
  for (const [name, port] of Object.entries(ports)) {
    if (ours.has(port) || (await becomesFree(port))) continue;
    throw new GateError({
      layer: 'lab',
      code: 'lab.port-taken',
      message: `port ${port} (${name} of the lab) is taken by another process: end it ('ss -ltnp sport = :${port}' names it), or ${instead}`,
    });
  }
}

/** Installs the Debian packages that are missing; none is touched when all are there. */
export async function ensurePackages(progress: Progress): Promise<void> {
  const missing: string[] = [];
  for (const { name, file } of packages) {
    const there = await fileExists(file);
    if (!there) missing.push(name);
  }
  if (missing.length === 0) return;
  progress('lab/packages', `installing ${missing.join(' ')}`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } as Record<string, string>;
  try {
    await run({ file: 'apt-get', argv: ['-q', 'update'], env: environment, timeoutSeconds: 300 });
    await run({
      file: 'apt-get',
      argv: ['-q', '-y', 'install', '--no-install-recommends', ...missing],
      env: environment,
      timeoutSeconds: 900,
    });
  } catch (error) {
    throw new GateError({
      layer: 'lab',
      code: 'lab.packages-missing',
      message: `the Debian packages ${missing.join(' ')} could not be installed: ${(error as Error).message}; install them by hand, or ${instead}`,
    });
  }
  progress('lab/packages', '');
}

/** A port may be held for a moment by a process that was just killed: the kernel tells nobody when it lets go. */
async function becomesFree(port: number): Promise<boolean> {
  const deadline = deadlineIn(3);
  while (!(await isFree(port))) {
    if (deadline.passed()) return false;
    await delay(50);
  }
  return true;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
