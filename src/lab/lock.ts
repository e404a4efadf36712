import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { GateError } from '../core/gateError.js';

export interface LockOptions {
  /** Called once with the holder's name when the lock is taken: then it is waited for. Without it a taken lock is refused. */
  readonly onWait?: (holder: string) => void;
}

/**
 * Runs `work` as the only one that changes the lab of this run folder; a second one is refused with the name of the first,
 * or waits for it. The lock is a socket in Linux' abstract name space: the kernel gives it to one process and takes it back
 * however that one ends, so no lock can be left stale.
 */
export async function withLabLock<T>(
  runFolder: string,
  command: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const path = `\0raygate-lab:${runFolder}`;
  const asking = new Set<Socket>();
  let server = await take(path, command, asking);
  while (server === undefined) {
    const holder = await askHolder(path);
    if (!options.onWait) {
      throw new GateError({
        layer: 'lab',
        code: 'lab.busy',
        message: `another command is changing the lab: ${holder.name}; wait for it to end, then try again`,
        retryable: true,
      });
    }
    options.onWait(holder.name);
    await holder.ended;
    server = await take(path, command, asking);
  }
  try {
    return await work();
  } finally {
    server.close();
    // Whoever waits learns of the end by the end of the connection.
    for (const socket of asking) socket.destroy();
  }
}

/** The lock, or undefined when another holds it. */
async function take(path: string, command: string, asking: Set<Socket>): Promise<Server | undefined> {
  const server = createServer((socket) => {
    asking.add(socket);
    socket.on('error', () => {}); // Whoever asked went away before the answer.
    socket.on('close', () => asking.delete(socket));
    socket.write(`'${command}', pid ${process.pid}`);
    socket.unref();
  });
  server.listen({ path });
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
  server.unref();
  return server;
}

async function askHolder(path: string): Promise<{ name: string; ended: Promise<void> }> {
  const socket = connect({ path });
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const name = await new Promise<string>((resolve) => {
    socket.once('data', (chunk) => resolve(chunk.toString()));
    socket.once('close', () => resolve('a process that just ended'));
    socket.on('error', () => {}); // The close that follows says it.
  });
  return { name, ended };
}
