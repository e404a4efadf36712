import type { Redactor } from '../../core/redaction.js';
import { asRecord } from '../model/json.js';
import { gateNamespace, kinds, secretName } from '../model/kinds.js';
import { decodeSecretValue } from '../rules/token.js';
import { type PersistOptions, readUntilAnswered } from './persist.js';

/** Keys whose values are credentials; the others are names, which messages need. */
const credential = /PASSWORD|SECRET|TOKEN/;

/**
 * Teaches the credentials of the application's Secret to the redactor, so that no text of a container can tell them. Nothing is kept of
 * them; a Secret that is absent teaches nothing.
 */
export async function learnSecret(redactor: Redactor, options: PersistOptions): Promise<void> {
  const ref = { ...kinds.secret, name: secretName, namespace: gateNamespace };
  const secret = await readUntilAnswered(`Secret ${secretName}`, () => options.cluster.get(ref), options);
  for (const [key, encoded] of Object.entries(asRecord(secret?.['data']))) {
    if (!credential.test(key) || typeof encoded !== 'string') continue;
    redactor.register(encoded);
    const value = decodeSecretValue(encoded);
    if (value !== undefined) redactor.register(value);
  }
}
