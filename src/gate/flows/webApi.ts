import { isLocalHttpError, type LocalHttpResponse, localHttp } from '../../host/localHttp.js';
import { joinWebPath, readWebBase } from '../rules/webUrl.js';

export interface WebCall {
  readonly method: 'GET' | 'POST';
  /** Below the web URL, with its query; built by us, never by an answer. */
  readonly path: string;
  /** Sent as Host header. Default: the URL's own. */
  readonly host?: string;
  /** Default: anything. */
  readonly accept?: string;
  /** Sent as `Authorization: Bearer`, and nowhere else. */
  readonly token?: string;
}

export type WebAnswer =
  | { readonly kind: 'answer'; readonly response: LocalHttpResponse }
  | { readonly kind: 'no-answer'; readonly reason: string };

/** Calls the web application, or Prometheus, under the checked URL. Transport failures are a value; nothing is retried and nothing followed. */
export interface WebApi {
  call(call: WebCall): Promise<WebAnswer>;
}

const requestSeconds = 10;

export interface WebApiOptions {
  /** Default: 64 KiB. A longer answer is none. */
  readonly bodyLimitBytes?: number;
}

/** @throws Error when the URL is not one of this machine (settings refuse it first). */
export function openWebApi(webUrl: string, options: WebApiOptions = {}): WebApi {
  const reading = readWebBase(webUrl);
  if (!reading.ok) throw new Error(`The URL is refused: ${reading.problem}.`);
  const { base } = reading;
  return {
    async call({ method, path, host, accept, token }) {
      const joined = joinWebPath(base, path);
      if (joined === undefined) throw new Error(`The path "${path}" would leave its URL.`);
      const headers = {
        accept: accept ?? '*/*',
        'user-agent': 'raygate',
        ...(host === undefined ? {} : { host }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      try {
        return {
          kind: 'answer',
          response: await localHttp(base, {
            method,
            path: joined,
            headers,
            timeoutSeconds: requestSeconds,
            ...options,
          }),
        };
      } catch (error) {
        if (!isLocalHttpError(error)) throw error;
        return { kind: 'no-answer', reason: error.message };
      }
    },
  };
}
