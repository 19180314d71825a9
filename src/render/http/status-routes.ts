import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { MillraceError } from '../../contract/errors.ts';
import { renderRoutes } from '../../contract/render-api/routes.ts';
import { addRoute } from '../../http/add-route.ts';
import type { StatusHub } from '../status/status-hub.ts';
import { encodeOnce, toStream } from '../status/status-stream.ts';

/** Time that a listener has for taking in the end of its stream. */
const END_TIMEOUT_MS = 30_000;

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Tells nginx not to hold events back.
  'x-accel-buffering': 'no',
};

/** How soon a listener comes back after its node has stopped, so that not all come at once. */
const COME_BACK_MS = { least: 250, most: 1_500 };

/** Adds the two status streams. When the server closes, they end in a way that has listeners come back. */
export function addStatusRoutes(app: FastifyInstance, hub: StatusHub): void {
  const message = encodeOnce((text) => Buffer.from(text));
  const sseEvent = encodeOnce((text) => Buffer.from(`data: ${text}\n\n`));
  const sendAway = new Set<() => void>();
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    for (const leave of sendAway) leave();
  });

  addRoute(app, renderRoutes.watchJob, noWebSocket, {
    socket(socket, request) {
      const listener = toStream({
        behind: () => socket.bufferedAmount > 0,
        send: (text) => socket.send(message(text), { binary: false }),
        end: () => socket.close(1000, 'the job is over'),
        cut: () => socket.terminate(),
      });
      const stop = hub.listen(request.params.jobId, listener);
      socket.on('close', stop);
      socket.on('error', (error) => request.log.debug({ err: error }, 'a status stream broke'));
    },
  });

  addRoute(
    app,
    renderRoutes.watchJobEvents,
    (request, reply) => {
      reply.hijack();
      const stream = reply.raw;
      reply.headers(streamHeaders);
      // What hooks have set (CORS) is not sent by itself once the reply is ours.
      stream.setHeaders(new Map(Object.entries(reply.getHeaders()).map(([name, value]) => [name, value ?? ''])));
      stream.flushHeaders();
      const listener = toStream({
        behind: () => stream.writableLength > 0,
        send: (text) => stream.write(sseEvent(text)),
        end: () => stream.end().setTimeout(END_TIMEOUT_MS, () => stream.destroy()),
        cut: () => stream.destroy(),
      });
      const stop = hub.listen(request.params.jobId, listener);
      const leave = () => {
        stop();
        if (!stream.writableEnded) stream.end(`retry: ${randomInt(COME_BACK_MS.least, COME_BACK_MS.most)}\n\n`);
      };
      sendAway.add(leave);
      if (closing) leave();
      stream.on('close', () => {
        stop();
        sendAway.delete(leave);
      });
      stream.on('error', (error) => request.log.debug({ err: error }, 'a status stream broke'));
      return undefined;
    },
    // The stream alone tells whether there is such a job.
    { head: (_request, reply) => reply.headers(streamHeaders).send() },
  );
}

function noWebSocket(): never {
  throw new MillraceError(
    'invalid_params',
    'This address is a WebSocket; open it with ws:// or wss://, or use the SSE one.',
    { status: 426 },
  );
}
