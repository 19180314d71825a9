import type { FastifyInstance } from 'fastify';

const exposedHeaders = [
  'Age',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Accept-Ranges',
  'Content-Range',
  'ETag',
  'Repr-Digest',
  'X-Request-Id',
  'WWW-Authenticate',
];

/** Headers of every response: pages of any site may read it. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(', '),
} as const;

/** Returns the headers of the response to OPTIONS. `requestedHeaders` are those that the page wants to send. */
const preflight = (requestedHeaders: string | undefined) => ({
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
  vary: 'Access-Control-Request-Headers',
  ...(requestedHeaders === undefined ? {} : { 'access-control-allow-headers': requestedHeaders }),
  'access-control-max-age': '86400',
  // Without it, Safari waits for a body.
  'content-length': '0',
});

/**
 * Lets pages of any site call a server (https://fetch.spec.whatwg.org/#http-cors-protocol). Hooks that are added later
 * do not see OPTIONS: it gets a response at any path, because browsers send no key with it.
 */
export function addCors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(corsHeaders);
    if (request.method !== 'OPTIONS') {
      done();
      return;
    }
    reply.code(204).headers(preflight(request.headers['access-control-request-headers'])).send();
  });
  // This gives OPTIONS a route at any path. The hook has already sent the response by then.
  app.options('*', (_request, reply) => reply.send());
}
