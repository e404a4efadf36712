import { images } from '../images.js';
import type { Container } from '../imports/kubernetes.js';
import { names } from '../names.js';
import { ports } from '../ports.js';
import type { Resources } from '../profiles.js';
import { sealedContainer, userIds } from './hardening.js';
import { resourceRequirements } from './resourceRequirements.js';

export interface WaitForPortProps {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly resources: Resources;
}

/**
 * An init container that ends once a TCP port answers, tried every 2 seconds. Both netcats of busybox know `-w` and `-e`
 * (its small one has no `-z`); nothing is sent, so the server logs no broken request.
 */
export function waitForPort(props: WaitForPortProps): Container {
  const { name, host, port, resources } = props;
  const attempt = `nc -w 2 ${host} ${port} -e /bin/true`;
  return {
    name,
    image: images.busybox,
    imagePullPolicy: 'IfNotPresent',
    command: ['sh', '-c', `until ${attempt} 2>/dev/null; do echo "waiting for ${host}:${port}"; sleep 2; done`],
    resources: resourceRequirements(resources),
    securityContext: { ...sealedContainer, runAsUser: userIds.nobody, runAsGroup: userIds.nobody },
  };
}

export function waitForPostgres(resources: Resources): Container {
  return waitForPort({ name: 'wait-for-postgres', host: names.postgresService, port: ports.postgres, resources });
}

export function waitForRay(resources: Resources): Container {
  return waitForPort({ name: 'wait-for-ray', host: names.rayHeadService, port: ports.rayClient, resources });
}
