import { describe, expect, it } from 'vitest';
import { removalScript } from '../../src/lab/machine/network.js';

describe('what `down` removes of the packet rules', () => {
  const rows: readonly [string, string, string | undefined][] = [
    [
      "nothing when no chain is the lab's",
      '*nat\n:PREROUTING ACCEPT [0:0]\n:DOCKER - [0:0]\n-A PREROUTING -j DOCKER\nCOMMIT\n',
      undefined,
    ],
    [
      "its chains and the jumps to them, and not another's",
      [
        '*nat',
        ':PREROUTING ACCEPT [0:0]',
        ':DOCKER - [0:0]',
        ':KUBE-SERVICES - [0:0]',
        ':RAYGATE-POSTROUTING - [0:0]',
        '-A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
        '-A PREROUTING -m addrtype --dst-type LOCAL -j DOCKER',
        '-A POSTROUTING -j RAYGATE-POSTROUTING',
        '-A KUBE-SERVICES -d 10.96.0.10/32 -p udp -j KUBE-SVC-X',
        'COMMIT',
      ].join('\n'),
      [
        '*nat',
        '-D PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
        '-D POSTROUTING -j RAYGATE-POSTROUTING',
        '-F KUBE-SERVICES',
        '-F RAYGATE-POSTROUTING',
        '-X KUBE-SERVICES',
        '-X RAYGATE-POSTROUTING',
        'COMMIT',
        '',
      ].join('\n'),
    ],
  ];
  it.each(rows)('%s', (_, saved, expected) => {
    expect(removalScript('nat', saved)).toBe(expected);
  });
});
