import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { kubeconfigError } from './kubeconfigError.js';
import type { ContextSelection } from './kubeconfigFile.js';

/** Fields that name a file, the field that holds its content instead, and whether that is base64. */
const clusterFiles = [{ file: 'certificate-authority', data: 'certificate-authority-data', base64: true }] as const;
const userFiles = [
  { file: 'client-certificate', data: 'client-certificate-data', base64: true },
  { file: 'client-key', data: 'client-key-data', base64: true },
  { file: 'tokenFile', data: 'token', base64: false },
] as const;

type FileField = (typeof clusterFiles | typeof userFiles)[number];

/** Reads in the files that the cluster and the user name, relative to the kubeconfig. As in kubectl, data that is given wins over a file, except for a token. */
export async function flatten(selection: ContextSelection, kubeconfigPath: string): Promise<ContextSelection> {
  const folder = dirname(resolve(kubeconfigPath));
  return {
    ...selection,
    cluster: { ...selection.cluster, ...(await readIn(selection.cluster, clusterFiles, folder, kubeconfigPath)) },
    user: { ...selection.user, ...(await readIn(selection.user, userFiles, folder, kubeconfigPath)) },
  };
}

async function readIn(
  fields: Readonly<Record<string, unknown>>,
  files: readonly FileField[],
  folder: string,
  kubeconfigPath: string,
): Promise<Record<string, string | undefined>> {
  const result: Record<string, string | undefined> = {};
  for (const { file, data, base64 } of files) {
    const path = fields[file];
    if (path === undefined || path === '') continue;
    if (typeof path !== 'string') throw kubeconfigError('malformed', `${file} in ${kubeconfigPath} is not a path`);
    result[file] = undefined;
    if (base64 && typeof fields[data] === 'string' && fields[data] !== '') continue;
    const content = await readQuietly(resolve(folder, path));
    if (content === undefined) {
      throw kubeconfigError(
        'unreadable',
        `${file} ${path}, which ${kubeconfigPath} names, cannot be read: check that it exists`,
      );
    }
    result[data] = base64 ? content.toString('base64') : content.toString('utf8').trim();
  }
  return result;
}

async function readQuietly(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch {
    return undefined;
  }
}
