import { GateError, type Layer } from '../../core/gateError.js';
import type { Redactor } from '../../core/redaction.js';
import { asRecord } from '../model/json.js';
import { gateNamespace, kinds, secretName, tokenKey } from '../model/kinds.js';
import { decodeSecretValue, judgeToken } from '../rules/token.js';
import { type PersistOptions, readUntilAnswered } from './persist.js';

/** Reads the live API token and teaches it to the redactor before it is judged. It is used as a header and nowhere else. */
export async function readApiToken(redactor: Redactor, options: PersistOptions): Promise<string> {
  const { layer } = options;
  const ref = { ...kinds.secret, name: secretName, namespace: gateNamespace };
  const secret = await readUntilAnswered(`Secret ${secretName}`, () => options.cluster.get(ref), options);
  if (secret === undefined) {
    throw tokenError(
      layer,
      'secret-absent',
      `Secret ${gateNamespace}/${secretName} does not exist: run "raygate credentials".`,
    );
  }
  const encoded = asRecord(secret['data'])[tokenKey];
  if (typeof encoded !== 'string' || encoded === '') {
    throw tokenError(
      layer,
      'token-missing',
      `Secret ${secretName} has no key ${tokenKey}: add one (openssl rand -hex 32), or delete namespace ${gateNamespace} if nobody needs it and run "raygate credentials".`,
    );
  }
  redactor.register(encoded);
  const token = decodeSecretValue(encoded);
  if (token === undefined)
    throw tokenError(layer, 'token-encoding', `Key ${tokenKey} of Secret ${secretName} is no strict base64 of UTF-8.`);
  redactor.register(token);
  const verdict = judgeToken(token);
  if (verdict.kind !== 'ready') throw tokenError(layer, verdict.code.replace(/^.*\./, ''), verdict.detail);
  return token;
}

function tokenError(layer: Layer, code: string, message: string): GateError {
  return new GateError({ layer, code: `${layer}.${code}`, message });
}
