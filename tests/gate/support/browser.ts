import { type ChildProcess, spawn } from 'node:child_process';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { WebSocket } from 'ws';

const programs = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The path of an installed Chromium; undefined where there is none. */
export async function findChromium(): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const program of programs) {
      const path = join(folder, program);
      const there = await access(path).then(
        () => true,
        () => false,
      );
      if (there) return path;
    }
  }
  return undefined;
}

export interface Tab {
  /** One command of the DevTools protocol. */
  send<T = Record<string, unknown>>(method: string, params?: object): Promise<T>;
  /** Events seen so far, by their method. */
  readonly events: readonly { readonly method: string; readonly params: Record<string, unknown> }[];
}

export interface Browser {
  openTab(): Promise<Tab>;
  close(): Promise<void>;
}

/** A headless browser with a profile of its own and no network of its own accord; closed, it leaves nothing. */
export async function startBrowser(path: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'raygate-browser-'));
  const child = spawn(
    path,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--hide-scrollbars',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const socket = new WebSocket(await endpointOf(child));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const connection = connect(socket);
  return {
    openTab: () => connection.openTab(),
    close: async () => {
      await connection.send('Browser.close').catch(() => {});
      socket.close();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function endpointOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /DevTools listening on (ws:\/\/\S+)/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`the browser ended: ${said.slice(-500)}`)));
  });
}

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

function connect(socket: WebSocket) {
  const waiting = new Map<number, (message: Message) => void>();
  const listeners = new Map<string, { method: string; params: Record<string, unknown> }[]>();
  let last = 0;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else listeners.get(message.sessionId ?? '')?.push({ method: message.method ?? '', params: message.params ?? {} });
  });
  const send = <T>(method: string, params: object = {}, sessionId?: string) =>
    new Promise<T>((resolve, reject) => {
      const id = ++last;
      waiting.set(id, (message) => {
        waiting.delete(id);
        if (message.error) reject(new Error(`${method}: ${message.error.message}`));
        else resolve(message.result as T);
      });
      socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    });
  const openTab = async (): Promise<Tab> => {
    const { targetId } = await send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    const events: { method: string; params: Record<string, unknown> }[] = [];
    listeners.set(sessionId, events);
    return { events, send: (method, params) => send(method, params, sessionId) };
  };
  return { send, openTab };
}
