import type { ServerResponse } from 'node:http';
import type { KubeObject } from '../../src/cluster/objects.js';
import { aList, type FakeApiServer, type Handler, type SeenRequest, sendJson } from './apiServer.js';

/** The list and the watch of one collection of a fake API server, moved by hand. */
export interface WatchServer {
  /** What a list answers. */
  items: readonly KubeObject[];
  resourceVersion: string;
  /** Takes precedence over the list, or over the head of a watch. */
  onList: Handler | undefined;
  onWatch: Handler | undefined;
  readonly lists: SeenRequest[];
  readonly watches: SeenRequest[];
  /** Sends an event to each open stream. */
  send(type: string, object: unknown): void;
  sendRaw(text: string | Buffer): void;
  /** Ends each open stream properly, or cuts it. */
  end(): void;
  cut(): void;
  openStreams(): number;
}

export function watchServer(server: FakeApiServer): WatchServer {
  const streams = new Set<ServerResponse>();
  const state: WatchServer = {
    items: [],
    resourceVersion: '100',
    onList: undefined,
    onWatch: undefined,
    lists: [],
    watches: [],
    send: (type, object) => state.sendRaw(`${JSON.stringify({ type, object })}\n`),
    sendRaw(text) {
      for (const stream of streams) stream.write(text);
    },
    end() {
      for (const stream of streams) stream.end();
    },
    cut() {
      for (const stream of streams) stream.destroy();
    },
    openStreams: () => streams.size,
  };
  server.answer((request, response) => {
    const watching = request.query.get('watch') === 'true';
    (watching ? state.watches : state.lists).push(request);
    const override = watching ? state.onWatch : state.onList;
    if (override) {
      override(request, response);
      return;
    }
    if (!watching) {
      sendJson(response, 200, aList(state.items, { resourceVersion: state.resourceVersion }));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    streams.add(response);
    response.once('close', () => streams.delete(response));
  });
  return state;
}
