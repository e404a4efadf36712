import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { GateError } from '../core/gateError.js';

/**
 * Runs `work` as the only one that changes the lab of this run folder; a second one is refused with the name of the first.
 * The lock is a socket in Linux' abstract name space: the kernel gives it to one process and takes it back however that
 * one ends, so no lock can be left stale.
 */
export async function withLabLock<T>(runFolder: string, command: string, work: () => Promise<T>): Promise<T> {
  const path = `\0raygate-lab:${runFolder}`;
  const server = createServer((socket) => {
    socket.on('error', () => {}); // Whoever asked went away before the answer.
    socket.end(`'${command}', pid ${process.pid}`);
  });
  server.listen({ path });
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new GateError({
      layer: 'lab',
      code: 'lab.busy',
      message: `another command is changing the lab: ${await askHolder(path)}; wait for it to end, then try again`,
      retryable: true,
    });
  }
  server.unref();
  try {
    return await work();
  } finally {
    server.close();
  }
}

async function askHolder(path: string): Promise<string> {
  try {
    return await text(connect({ path, timeout: 2000 }));
  } catch {
    return 'a process that just ended';
  }
}
