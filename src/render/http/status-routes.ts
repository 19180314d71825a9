import { randomInt } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MillraceError } from '../../contract/errors.ts';
import { renderRoutes } from '../../contract/render-api/routes.ts';
import { addRoute } from '../../http/add-route.ts';
import type { StatusHub } from '../status/status-hub.ts';
import { createStreamListener, encodeOnce } from '../status/status-stream.ts';
import type { JobRates } from './job-rates.ts';

/** Time for a listener to read the end of its stream. */
const DRAIN_TIMEOUT_MS = 30_000;

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Prevents nginx from buffering events.
  'x-accel-buffering': 'no',
};

/** Delay before a listener reconnects when its node stops; random, so that not all reconnect at the same moment. */
const RECONNECT_MS = { min: 250, max: 1_500 };

/** Adds the two status streams. When the server closes, the streams end so that listeners reconnect. */
export function addStatusRoutes(
  app: FastifyInstance,
  { hub, jobRates }: { readonly hub: StatusHub; readonly jobRates: Pick<JobRates, 'countRead'> },
): void {
  const admit = ({ clientNetworks }: FastifyRequest) => jobRates.countRead(clientNetworks);
  const encodeMessage = encodeOnce((text) => Buffer.from(text));
  const encodeSseEvent = encodeOnce((text) => Buffer.from(`data: ${text}\n\n`));
  /** Functions that end the open streams. */
  const openStreams = new Set<() => void>();
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    for (const end of openStreams) end();
  });

  addRoute(app, renderRoutes.watchJob, requireWebSocket, {
    admit,
    socket(socket, request) {
      const listener = createStreamListener({
        isBackedUp: () => socket.bufferedAmount > 0,
        send: (text) => socket.send(encodeMessage(text), { binary: false }),
        end: () => socket.close(1000, 'the job has finished'),
        terminate: () => socket.terminate(),
      });
      const stop = hub.listen(request.params.jobId, listener);
      socket.on('close', stop);
      socket.on('error', (error) => request.log.debug({ err: error }, 'a status stream failed'));
    },
  });

  addRoute(
    app,
    renderRoutes.watchJobEvents,
    (request, reply) => {
      reply.hijack();
      const stream = reply.raw;
      reply.headers(streamHeaders);
      // A hijacked reply does not send the headers that hooks have set (CORS).
      stream.setHeaders(new Map(Object.entries(reply.getHeaders()).map(([name, value]) => [name, value ?? ''])));
      stream.flushHeaders();
      const listener = createStreamListener({
        isBackedUp: () => stream.writableLength > 0,
        send: (text) => stream.write(encodeSseEvent(text)),
        end: () => stream.end().setTimeout(DRAIN_TIMEOUT_MS, () => stream.destroy()),
        terminate: () => stream.destroy(),
      });
      const stop = hub.listen(request.params.jobId, listener);
      const end = () => {
        stop();
        if (!stream.writableEnded) stream.end(`retry: ${randomInt(RECONNECT_MS.min, RECONNECT_MS.max)}\n\n`);
      };
      openStreams.add(end);
      if (closing) end();
      stream.on('close', () => {
        stop();
        openStreams.delete(end);
      });
      stream.on('error', (error) => request.log.debug({ err: error }, 'a status stream failed'));
      return undefined;
    },
    // Only the stream reports whether the job exists.
    { admit, head: (_request, reply) => reply.headers(streamHeaders).send() },
  );
}

function requireWebSocket(): never {
  throw new MillraceError(
    'invalid_params',
    'This URL is a WebSocket; open it with ws:// or wss://, or use the SSE URL.',
    { status: 426 },
  );
}
