import { kubeconfigError } from './kubeconfigError.js';
import type { UserEntry } from './kubeconfigFile.js';

const sensitiveName = /credential|key|password|secret|token|username/;
const shortestOpaqueArgumentCharacters = 20;

/**
 * Every credential that a kubeconfig's user holds, and what each is in base64, without repeats: fields with a telling name,
 * those of an auth provider, and the arguments and environment of an exec plugin. `client-certificate-data` is public.
 */
export function credentialsOf(user: UserEntry, path: string): string[] {
  const direct = [
    ...sensitiveFields(user),
    ...(isMapping(user['auth-provider']) && isMapping(user['auth-provider']['config'])
      ? sensitiveFields(user['auth-provider']['config'])
      : []),
    ...(isMapping(user['exec']) ? execCredentials(user['exec'], path) : []),
  ].filter((value) => value !== '');
  return [...new Set(direct.flatMap((value) => [value, ...decodedText(value)]))];
}

function sensitiveFields(fields: UserEntry): string[] {
  return Object.entries(fields).flatMap(([name, value]) => (isSensitive(name) ? scalars(value) : []));
}

function execCredentials(exec: UserEntry, path: string): string[] {
  const args = exec['args'] ?? [];
  if (!Array.isArray(args) || !args.every((argument) => typeof argument === 'string')) {
    throw kubeconfigError('malformed', `an exec argument of the user in ${path} is not a text`);
  }
  const environment = Array.isArray(exec['env']) ? exec['env'] : [];
  return [
    ...argumentCredentials(args),
    ...environment.flatMap((entry) =>
      isMapping(entry) && isSensitive(String(entry['name'])) ? scalars(entry['value']) : [],
    ),
  ];
}

function argumentCredentials(args: readonly string[]): string[] {
  return args.flatMap((argument, at) => {
    const before = args[at - 1];
    if (before?.startsWith('-') && !before.includes('=') && isSensitive(before)) return [argument];
    if (!argument.startsWith('-')) return argument.length >= shortestOpaqueArgumentCharacters ? [argument] : [];
    const [flag = '', ...value] = argument.split('=');
    return isSensitive(flag) ? [value.join('=')] : [];
  });
}

function isSensitive(name: string): boolean {
  return sensitiveName.test(name.toLowerCase().replaceAll('_', '-'));
}

function scalars(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(scalars);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** What the value is in strict base64, when that is text: printable ASCII, line ends and tabs. */
function decodedText(value: string): string[] {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value) || value.length % 4 !== 0) return [];
  const text = Buffer.from(value, 'base64').toString('latin1');
  return /^[\t\r\n -~]+$/.test(text) ? [text] : [];
}

export function isMapping(value: unknown): value is UserEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
