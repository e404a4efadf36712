import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Health } from './component.js';

export interface HttpTarget {
  readonly url?: string;
  readonly socketPath?: string;
  readonly path?: string;
  /** The status that says healthy. Default: 200. */
  readonly expect?: number;
  /** Files of a client identity and of the authority; without them a TLS server's certificate is not looked at (its own self-signed one). */
  readonly identity?: { readonly ca: string; readonly crt: string; readonly key: string };
}

/** Healthy when a GET answers as expected within two seconds. Never throws. */
export async function httpHealth(target: HttpTarget): Promise<Health> {
  const where = target.url ?? `${target.socketPath}${target.path ?? ''}`;
  try {
    const { status, body } = await get(target);
    if (status === (target.expect ?? 200)) return { healthy: true, why: `${where} answers` };
    return { healthy: false, why: `${where} answers ${status}: ${lastFailure(body)}` };
  } catch (error) {
    return { healthy: false, why: `${where}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}` };
  }
}

/** A `?verbose` health page lists its checks; what matters is the ones that fail. */
function lastFailure(body: string): string {
  const failing = body.split('\n').filter((line) => line.startsWith('[-]'));
  return (failing.length > 0 ? failing.join(' ') : body).slice(0, 200).replaceAll('\n', ' ');
}

async function get(target: HttpTarget): Promise<{ status: number; body: string }> {
  const identity = target.identity && {
    ca: await readFile(target.identity.ca),
    cert: await readFile(target.identity.crt),
    key: await readFile(target.identity.key),
  };
  return new Promise((resolve, reject) => {
    const options = { timeout: 2000, agent: false as const, ...(identity ?? { rejectUnauthorized: false }) };
    const onResponse = (response: import('node:http').IncomingMessage) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (body.length < 65_536) body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', reject);
    };
    const request = target.socketPath
      ? httpRequest({ socketPath: target.socketPath, path: target.path ?? '/', timeout: 2000 }, onResponse)
      : target.url?.startsWith('https:')
        ? httpsRequest(target.url, options, onResponse)
        : httpRequest(target.url ?? '', { timeout: 2000 }, onResponse);
    request.on('timeout', () => request.destroy(new Error('no answer within 2 s')));
    request.on('error', reject);
    request.end();
  });
}
