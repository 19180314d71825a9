import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { addStatusRoutes } from '../http/status-routes.ts';
import type { StatusHub, StatusListener } from './status-hub.ts';

let app: FastifyInstance;
let listeners: Set<StatusListener>;
let port: number;

beforeEach(async () => {
  listeners = new Set();
  app = Fastify({ forceCloseConnections: true });
  await app.register(websocket);
  const hub: StatusHub = {
    listen(_jobId, listener) {
      listeners.add(listener);
      listener.onEvent('{"progress":1}', false);
      return () => listeners.delete(listener);
    },
    close: async () => undefined,
  };
  addStatusRoutes(app, { hub, jobRates: { countRead: () => undefined } });
  await app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.server.address() as AddressInfo);
});
afterEach(() => app.close());

/** Sends an event to all listeners, as the hub does. */
function tell(text: string, final: boolean): void {
  for (const listener of [...listeners]) listener.onEvent(text, final);
}

test('sends an event as the same text on both kinds of stream, and ends them after the final one', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/render/status/job`);
  const frames: string[] = [];
  socket.on('message', (data, binary) => frames.push(`${binary ? 'binary' : 'text'} ${data}`));
  await once(socket, 'message');
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/render/status/sse/job`);
  await expect.poll(() => listeners.size).toBe(2);
  tell('{"progress":2,"error":"größer"}', false);
  tell('{"progress":3}', true);
  const [code] = await once(socket, 'close');
  expect(code).toBe(1000);
  expect(frames).toEqual(['text {"progress":1}', 'text {"progress":2,"error":"größer"}', 'text {"progress":3}']);
  expect(await answer.text()).toBe(
    'data: {"progress":1}\n\ndata: {"progress":2,"error":"größer"}\n\ndata: {"progress":3}\n\n',
  );
  await expect.poll(() => listeners.size).toBe(0);
});

test('removes a listener that disconnects', async () => {
  const leaving = new AbortController();
  // A response that nothing refers to any more would be cancelled by the garbage collector.
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/render/status/sse/job`, { signal: leaving.signal });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/render/status/job`);
  await once(socket, 'message');
  await expect.poll(() => listeners.size).toBe(2);
  expect(answer.status).toBe(200);
  leaving.abort();
  socket.terminate();
  await expect.poll(() => listeners.size).toBe(0);
});
