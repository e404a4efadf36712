import { promises as dns } from 'node:dns';
import { addresses } from '../addresses.js';
import type { Health } from '../components/component.js';

/**
 * Whether the cluster's DNS answers on its Service's address, through kube-proxy, as a pod would ask it. The answer must be the
 * API server's Service.
 */
export async function clusterDnsHealth(): Promise<Health> {
  const name = `kubernetes.default.svc.${addresses.clusterDomain}`;
  const resolver = new dns.Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([addresses.dnsServiceIp]);
  try {
    const answers = await resolver.resolve4(name);
    return answers.includes(addresses.kubernetesServiceIp)
      ? { healthy: true, why: `${addresses.dnsServiceIp} answers` }
      : { healthy: false, why: `${addresses.dnsServiceIp} answers ${name} with ${answers.join(', ')}` };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    return { healthy: false, why: `${addresses.dnsServiceIp} does not answer: ${code}` };
  }
}
