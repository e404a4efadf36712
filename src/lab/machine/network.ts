import { run } from '../../host/process.js';
import { addresses, ports } from '../addresses.js';

/**
 * The lab's own bridges and packet rules. dockerd and the pod network make no rule themselves (iptables off, no masquerade):
 * all that is not kube-proxy's stands in chains named RAYGATE-*, so that `down` can remove all of it and nothing else.
 */
const ownChains = { nat: 'RAYGATE-POSTROUTING', filter: 'RAYGATE-INPUT' } as const;

/** Chains of the kubelet and of kube-proxy, and ours. */
const chainPattern = /^(KUBE-|RAYGATE-)/;

const seconds = 30;

export async function ensureNetwork(): Promise<void> {
  await ensureBridge(addresses.podBridge, `${addresses.nodeIp}/24`);
  await ensureBridge(addresses.dockerBridge, addresses.dockerBridgeIp);
  await ensureSysctl();
  const rules = [
    '*nat',
    `:${ownChains.nat} - [0:0]`,
    `-F ${ownChains.nat}`,
    ...[addresses.podCidr, addresses.dockerCidr].map(
      (cidr) => `-A ${ownChains.nat} -s ${cidr} ! -d ${cidr} -m addrtype ! --dst-type LOCAL -j MASQUERADE`,
    ),
    'COMMIT',
    '*filter',
    `:${ownChains.filter} - [0:0]`,
    `-F ${ownChains.filter}`,
    // The API server listens on every address, for pods and for loopback: nobody outside the machine may reach it.
    ...['lo', addresses.podBridge, addresses.dockerBridge].map(
      (device) => `-A ${ownChains.filter} -i ${device} -j RETURN`,
    ),
    `-A ${ownChains.filter} -p tcp --dport ${ports.apiserver} -j DROP`,
    'COMMIT',
    '',
  ].join('\n');
  await run({ file: 'iptables-restore', argv: ['--noflush', '--wait', '10'], input: rules, timeoutSeconds: seconds });
  await ensureJump('nat', 'POSTROUTING', ownChains.nat);
  await ensureJump('filter', 'INPUT', ownChains.filter);
}

/** Removes the bridges and every chain of ours and of the lab's kube-proxy, in both address families. */
export async function removeNetwork(): Promise<void> {
  for (const tool of ['iptables', 'ip6tables']) await removeChains(tool);
  for (const bridge of [addresses.podBridge, addresses.dockerBridge]) {
    if (await bridgeExists(bridge))
      await run({ file: 'ip', argv: ['link', 'delete', bridge], timeoutSeconds: seconds });
  }
}

export async function networkHealth(): Promise<{ healthy: boolean; why: string }> {
  for (const bridge of [addresses.podBridge, addresses.dockerBridge]) {
    if (!(await bridgeExists(bridge))) return { healthy: false, why: `bridge ${bridge} is missing` };
  }
  const rules = await run({ file: 'iptables-save', argv: ['-t', 'nat'], timeoutSeconds: seconds });
  const jump = `-A POSTROUTING -j ${ownChains.nat}`;
  return rules.stdout.includes(jump)
    ? {
        healthy: true,
        why: `${addresses.podBridge} ${addresses.podCidr}, ${addresses.dockerBridge} ${addresses.dockerCidr}`,
      }
    : { healthy: false, why: `packet rule '${jump}' is missing` };
}

async function ensureBridge(name: string, address: string): Promise<void> {
  if (!(await bridgeExists(name))) {
    await run({ file: 'ip', argv: ['link', 'add', name, 'type', 'bridge'], timeoutSeconds: seconds });
  }
  await run({ file: 'ip', argv: ['address', 'replace', address, 'dev', name], timeoutSeconds: seconds });
  await run({ file: 'ip', argv: ['link', 'set', name, 'up'], timeoutSeconds: seconds });
}

async function bridgeExists(name: string): Promise<boolean> {
  return run({ file: 'ip', argv: ['link', 'show', name], timeoutSeconds: seconds }).then(
    () => true,
    () => false,
  );
}

/** Forwarding, and NodePorts on loopback (`route_localnet`): kube-proxy's iptables mode needs both. */
async function ensureSysctl(): Promise<void> {
  await run({
    file: 'sysctl',
    argv: [
      '-q',
      '-w',
      'net.ipv4.ip_forward=1',
      'net.ipv4.conf.all.route_localnet=1',
      'net.bridge.bridge-nf-call-iptables=1',
    ],
    timeoutSeconds: seconds,
  });
}

async function ensureJump(table: string, from: string, to: string): Promise<void> {
  const rule = [from, '-j', to];
  const present = await run({
    file: 'iptables',
    argv: ['-w', '10', '-t', table, '-C', ...rule],
    timeoutSeconds: seconds,
  }).then(
    () => true,
    () => false,
  );
  if (!present)
    await run({ file: 'iptables', argv: ['-w', '10', '-t', table, '-I', ...rule], timeoutSeconds: seconds });
}

async function removeChains(tool: string): Promise<void> {
  for (const table of ['nat', 'filter', 'mangle']) {
    const saved = await run({ file: `${tool}-save`, argv: ['-t', table], timeoutSeconds: seconds }).catch(
      () => undefined,
    );
    const script = saved && removalScript(table, saved.stdout);
    if (script)
      await run({
        file: `${tool}-restore`,
        argv: ['--noflush', '--wait', '10'],
        input: script,
        timeoutSeconds: seconds,
      });
  }
}

/** The restore script that removes the lab's chains, and the jumps to them, from what `iptables-save` printed; undefined when there are none. */
export function removalScript(table: string, saved: string): string | undefined {
  const lines = saved.split('\n');
  const chains = lines.flatMap((line) => /^:(\S+) /.exec(line)?.[1] ?? []).filter((chain) => chainPattern.test(chain));
  if (chains.length === 0) return undefined;
  const jumps = lines.filter((line) => {
    const [, from, target] = /^-A (\S+) .*-[jg] (\S+)/.exec(line) ?? [];
    return from !== undefined && !chainPattern.test(from) && target !== undefined && chainPattern.test(target);
  });
  return [
    `*${table}`,
    ...jumps.map((line) => line.replace(/^-A/, '-D')),
    ...chains.map((chain) => `-F ${chain}`),
    ...chains.map((chain) => `-X ${chain}`),
    'COMMIT',
    '',
  ].join('\n');
}
