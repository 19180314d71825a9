import type { FastifyInstance } from 'fastify';
import { MillraceError } from '../contract/errors.ts';
import type { StatusHub } from './status.ts';

/** A listener that takes in less than this lags too far behind and is let go; it may come back at any time. */
const MAX_UNSENT_BYTES = 256 * 1024;

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Tells nginx not to hold events back.
  'x-accel-buffering': 'no',
};

/** Adds the two status streams. */
export function addStatusRoutes(app: FastifyInstance, hub: StatusHub): void {
  app.route<{ Params: { jobId: string } }>({
    method: 'GET',
    url: '/api/v1/render/status/:jobId',
    exposeHeadRoute: false,
    handler: noWebSocket,
    wsHandler(socket, request) {
      const stop = hub.listen(request.params.jobId, {
        event(text, final) {
          if (socket.bufferedAmount > MAX_UNSENT_BYTES) {
            socket.terminate();
            return;
          }
          socket.send(text);
          if (final) socket.close(1000, 'the job is over');
        },
      });
      socket.on('close', stop);
      socket.on('error', (error) => request.log.debug({ err: error }, 'a status stream broke'));
    },
  });

  app.head('/api/v1/render/status/:jobId', noWebSocket);

  // The stream alone tells whether there is such a job.
  app.head('/api/v1/render/status/sse/:jobId', (_request, reply) => reply.headers(streamHeaders).send());
  app.get<{ Params: { jobId: string } }>(
    '/api/v1/render/status/sse/:jobId',
    { exposeHeadRoute: false },
    (request, reply) => {
      reply.hijack();
      const stream = reply.raw;
      reply.headers(streamHeaders);
      // What hooks have set (CORS) is not sent by itself once the reply is ours.
      stream.setHeaders(new Map(Object.entries(reply.getHeaders()).map(([name, value]) => [name, value ?? ''])));
      stream.flushHeaders();
      const stop = hub.listen(request.params.jobId, {
        event(text, final) {
          if (stream.writableLength > MAX_UNSENT_BYTES) {
            stream.destroy();
            return;
          }
          stream.write(`data: ${text}\n\n`);
          if (final) stream.end();
        },
      });
      stream.on('close', stop);
      stream.on('error', (error) => request.log.debug({ err: error }, 'a status stream broke'));
    },
  );
}

function noWebSocket(): never {
  throw new MillraceError(
    'invalid_params',
    'This address is a WebSocket; open it with ws:// or wss://, or use the SSE one.',
    { status: 426 },
  );
}
