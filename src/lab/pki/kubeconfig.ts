import { readFile } from 'node:fs/promises';
import { apiServerUrl, contextName } from '../addresses.js';
import { type LeafName, materialPath } from './material.js';

/** A self-contained kubeconfig (JSON, which is YAML) of one identity of the lab, against the API server on loopback. */
export async function kubeconfigOf(pkiFolder: string, leaf: LeafName): Promise<string> {
  const base64 = async (path: string) => (await readFile(path)).toString('base64');
  const identity = materialPath(pkiFolder, leaf);
  return `${JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': contextName,
      clusters: [
        {
          name: contextName,
          cluster: {
            server: apiServerUrl,
            'certificate-authority-data': await base64(materialPath(pkiFolder, 'ca').crt),
          },
        },
      ],
      users: [
        {
          name: leaf,
          user: {
            'client-certificate-data': await base64(identity.crt),
            'client-key-data': await base64(identity.key),
          },
        },
      ],
      contexts: [{ name: contextName, context: { cluster: contextName, user: leaf } }],
    },
    undefined,
    2,
  )}\n`;
}
