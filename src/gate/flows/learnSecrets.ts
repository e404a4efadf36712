import type { Cluster } from '../../cluster/cluster.js';
import type { Redactor } from '../../core/redaction.js';
import { asTextMap } from '../model/json.js';
import { gateNamespace, kinds, secretName } from '../model/kinds.js';
import { decodeSecretValue } from '../rules/token.js';

/** Of the Secret's keys those whose value is secret; user and database names are ordinary words of every log. */
const secretKey = /(PASSWORD|TOKEN|KEY)$/;

/**
 * Teaches the redactor what the live Secret holds, before any object is looked at whose spec could repeat it. What cannot be
 * read is not learnt: the layers that need the Secret say so themselves.
 */
export async function learnSecrets(cluster: Cluster, redactor: Redactor): Promise<void> {
  const secret = await cluster.get({ ...kinds.secret, name: secretName, namespace: gateNamespace });
  if (secret.kind !== 'found') return;
  for (const [key, encoded] of Object.entries(asTextMap(secret.value['data']))) {
    if (!secretKey.test(key)) continue;
    redactor.register(encoded);
    const value = decodeSecretValue(encoded);
    if (value !== undefined) redactor.register(value);
  }
}
