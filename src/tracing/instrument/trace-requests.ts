import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toMillraceError } from '../../contract/errors.ts';
import type { RecordingTracer, RequestSpan } from '../tracer.ts';

const SWITCHING_PROTOCOLS = 101;

/**
 * Starts a trace for each request to a server, except health checks. Must be called before routes are added. A span
 * states the pattern of the route and never the URL, which may contain sealed links.
 */
export function traceRequests(server: FastifyInstance, tracer: RecordingTracer): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();

  server.addHook('onRequest', (request, reply, done) => {
    const { method, headers, routeOptions, id } = request;
    // Undefined if no route matches.
    const route = routeOptions.url;
    if (route?.startsWith('/health')) {
      done();
      return;
    }
    const attributes = { 'http.request.method': method, 'http.route': route, 'millrace.request_id': id };
    const span = tracer.startRequest(
      route === undefined ? method : `${method} ${route}`,
      attributes,
      traceparent(headers),
    );
    spans.set(request, span);
    reply.raw.once('close', () => {
      const { writableFinished, statusCode } = reply.raw;
      const status = writableFinished ? statusCode : request.ws ? SWITCHING_PROTOCOLS : undefined;
      span.annotate(status === undefined ? { 'millrace.disconnected': true } : { 'http.response.status_code': status });
      span.end(status !== undefined && status >= 500);
    });
    done();
  });
  server.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.run(done);
  });
  server.addHook('onError', async (request, _reply, error) => {
    spans.get(request)?.annotate({ 'error.type': toMillraceError(error).code });
  });
}

function traceparent(headers: FastifyRequest['headers']): string | undefined {
  const { traceparent: value } = headers;
  return typeof value === 'string' ? value : undefined;
}
