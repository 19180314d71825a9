import { createServer as createHttpServer } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { failureBody, retryAfterOf } from '../contract/envelope.ts';
import { MillraceError, toMillraceError } from '../contract/errors.ts';
import { jobLimits } from '../contract/job.ts';
import { trackAllowedMethods } from './allowed-methods.ts';
import { type ConnectionTracker, createConnectionTracker } from './connections/connection-tracker.ts';
import { defaultMaxConnections } from './connections/descriptor-limit.ts';
import { addCors } from './cors.ts';
import { inertHeaders } from './inert-headers.ts';
import { rejectMalformedRequest } from './malformed-requests.ts';
import { checkPathParameters, checkRequestHead, routedPath } from './request-head.ts';
import { createWebSocketRoutes } from './web-socket-routes.ts';

const MAX_URL_LENGTH = 8_192;
/** Above the longest URL, so that one too long is answered by us and not by the HTTP parser. */
const MAX_HEAD_BYTES = 65_536;
const MAX_MESSAGE_BYTES = 1_024;
/** How long a request may take to arrive in full. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How often to check for requests that arrive too slowly. Node's default of 30 s would double the timeout. */
const REQUEST_CHECK_MS = 1_000;
/** A connection without traffic in either direction is closed after this time: an unread download, for example. */
const IDLE_TIMEOUT_MS = 60_000;
/** Idle time between two requests. Longer than that of proxies (nginx: 60 s), so that the proxy closes the connection. */
const KEEP_ALIVE_MS = 72_000;
const ADMIN_CONNECTIONS = 256;
/** How long a WebSocket may take to answer to being sent away. */
const WEB_SOCKET_CLOSE_TIMEOUT_MS = 2_000;
/** While a server closes, connections whose request was answered are looked for so often. */
const IDLE_CHECK_MS = 100;
/** Below it, an answer fits one packet whether it is compressed or not. */
const COMPRESSION_THRESHOLD_BYTES = 1_400;
/** So much of a body that is too large is read to its end, so that its sender gets to the answer. */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;
/** A path that is told in a message is cut here. */
const MAX_PATH_IN_MESSAGE = 200;

/** Settings of a server. */
export interface ServerSettings {
  /** Address ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly proxies?: readonly string[];
  /** Default: as many as the descriptor limit allows. */
  readonly connections?: ConnectionTracker;
  /** Milliseconds; default 30 s. */
  readonly requestTimeout?: number;
  /** Milliseconds; default a minute. */
  readonly idleTimeout?: number;
}

/** Makes the HTTP server that callers talk to. Routes are added by their owners. */
export async function createServer(log: FastifyBaseLogger, settings: ServerSettings = {}): Promise<FastifyInstance> {
  // Loaded here, since the bare servers of the operator and of commands have no use for them.
  const [{ default: compress }, { default: websocket }] = await Promise.all([
    import('@fastify/compress'),
    import('@fastify/websocket'),
  ]);
  const { proxies = [] } = settings;
  const maxConnections = defaultMaxConnections();
  const { connections = createConnectionTracker({ max: maxConnections, maxPerClient: maxConnections, proxies }) } =
    settings;
  const app = newServer(log, {
    ...settings,
    headers: { 'access-control-allow-origin': '*' },
    proxies,
    connections,
    // What comes while it closes, over connections that are kept, is answered to the last.
    closing: { forceCloseConnections: 'idle', return503OnClosing: false },
  });
  addCors(app);
  // Routes whose bytes are not ours to change (files, relay) turn it off for themselves.
  await app.register(compress, {
    threshold: COMPRESSION_THRESHOLD_BYTES,
    encodings: ['br', 'gzip'],
    customTypes: /^(?:application\/json|text\/html)(?:;|$)/,
    // Bodies of requests come as they are: the limit of their size is that of what is parsed.
    globalDecompression: false,
  });
  await app.register(websocket, {
    options: { maxPayload: MAX_MESSAGE_BYTES },
    preClose: async () => {
      const { websocketServer } = app;
      // Nobody is let in any more.
      websocketServer.close();
      // Going away (RFC 6455, section 7.4.1): to come back, to another node, is up to the listener.
      for (const socket of websocketServer.clients) socket.close(1001, 'the node stops');
    },
  });
  app.websocketServer.on('wsClientError', rejectMalformedRequest);
  // Preflights are answered whatever the path.
  return addLimitsAndErrors(app, connections, ['OPTIONS']);
}

/**
 * Closes a server of `createServer`: no connection is let in any more, idle ones are closed at once and the others when
 * their request is answered; what is left at the deadline is cut.
 */
export async function closeServer(app: FastifyInstance, deadline: AbortSignal): Promise<void> {
  const terminateWebSockets = () => {
    for (const socket of app.websocketServer.clients) socket.terminate();
  };
  const closeNow = () => {
    terminateWebSockets();
    app.server.closeAllConnections();
  };
  const webSocketTimer = setTimeout(terminateWebSockets, WEB_SOCKET_CLOSE_TIMEOUT_MS);
  const idleTimer = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  const closed = app.close();
  if (deadline.aborted) closeNow();
  else deadline.addEventListener('abort', closeNow, { once: true });
  try {
    await closed;
  } finally {
    clearTimeout(webSocketTimer);
    clearInterval(idleTimer);
    deadline.removeEventListener('abort', closeNow);
  }
}

/** Makes an HTTP server that pages of other sites cannot read: its bounds, and one way of telling errors. */
export function createBareServer(
  log: FastifyBaseLogger,
  connections = createConnectionTracker({ max: ADMIN_CONNECTIONS, maxPerClient: ADMIN_CONNECTIONS, proxies: [] }),
): FastifyInstance {
  const app = newServer(log, { headers: {}, proxies: [], connections, closing: { forceCloseConnections: true } });
  return addLimitsAndErrors(app, connections, []);
}

interface ServerOptions extends ServerSettings {
  /** Go with what is refused before any hook runs. */
  readonly headers: Readonly<Record<string, string>>;
  readonly proxies: readonly string[];
  readonly connections: ConnectionTracker;
  /** What becomes of open connections when it closes. */
  readonly closing: Pick<FastifyServerOptions, 'forceCloseConnections' | 'return503OnClosing'>;
}

function newServer(log: FastifyBaseLogger, options: ServerOptions): FastifyInstance {
  const { headers, proxies, connections, closing } = options;
  const { requestTimeout = REQUEST_TIMEOUT_MS, idleTimeout = IDLE_TIMEOUT_MS } = options;
  const webSockets = createWebSocketRoutes();
  const app = Fastify({
    // One for each address that it listens on (localhost has two).
    serverFactory: (handler) => {
      const server = createHttpServer(
        {
          maxHeaderSize: MAX_HEAD_BYTES,
          headersTimeout: requestTimeout,
          requestTimeout,
          connectionsCheckingInterval: REQUEST_CHECK_MS,
          keepAliveTimeout: KEEP_ALIVE_MS,
          shouldUpgradeCallback: webSockets.acceptsUpgrade,
          // Node's own refusal would have no body; see `checkRequestHead`.
          requireHostHeader: false,
        },
        handler,
      );
      // An expectation that the server does not know is ignored (RFC 9110 §10.1.1), not answered 417 without a body.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response));
      connections.watch(server);
      return server.setTimeout(idleTimeout);
    },
    loggerInstance: log,
    // Sealed URLs are credentials, and URLs reach the request log.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: proxies.length > 0 && [...proxies],
    bodyLimit: jobLimits.bodySize,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    exposeHeadRoutes: false,
    ...closing,
    // No error can be sent in the middle of a response.
    clientErrorHandler: (clientError, socket) =>
      connections.isMidResponse(socket) ? socket.destroy(clientError) : rejectMalformedRequest(clientError, socket),
    frameworkErrors: (frameworkError, request: FastifyRequest, reply: FastifyReply) => {
      webSockets.closeAfter(request, reply);
      sendError(frameworkError, request, reply.headers({ ...inertHeaders, ...headers }));
    },
  });
  app.removeContentTypeParser('text/plain');
  app.addHook('onRoute', (route) => {
    webSockets.watch(route);
    // HEAD is GET whose body Node leaves out, so that all headers are the same (RFC 9110 §9.3.2). The framework's own
    // way drops the body before it is compressed.
    if (route.method === 'GET' && route.exposeHeadRoute !== false) route.method = ['GET', 'HEAD'];
  });
  return app;
}

/** @param globalMethods Methods that any path is there for. */
function addLimitsAndErrors(
  app: FastifyInstance,
  connections: ConnectionTracker,
  globalMethods: readonly string[],
): FastifyInstance {
  // With a callback: a promise for each request would cost more than the hook.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(inertHeaders);
    const refusal = connections.admit(request, reply);
    // Not thrown: every refusal would be logged as an internal error.
    if (refusal !== undefined) {
      respondWith(refusal, request, reply);
      return;
    }
    if (request.url.length > MAX_URL_LENGTH) throw urlTooLong();
    checkRequestHead(request.raw);
    checkPathParameters(request.params);
    // Browsers send it when they register a service worker (https://w3c.github.io/ServiceWorker/#service-worker-script-request).
    if ('service-worker' in request.headers) {
      throw new MillraceError('invalid_params', 'This service has no service workers.');
    }
    done();
  });
  app.setErrorHandler(sendError);
  const methodsAt = trackAllowedMethods(app, globalMethods);
  app.setNotFoundHandler(({ method, url }, reply) => {
    const path = url.split('?', 1)[0] ?? '';
    const allowedMethods = methodsAt(routedPath(url)).join(', ');
    if (allowedMethods === '') throw new MillraceError('not_found', `There is nothing at ${method} ${shorten(path)}.`);
    reply.header('allow', allowedMethods);
    throw new MillraceError('method_not_allowed', `${shorten(path)} takes ${allowedMethods}, and not ${method}.`);
  });
  return app;
}

function sendError(cause: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = convertFrameworkError(cause, request) ?? toMillraceError(cause);
  if (error.origin === 'service') request.log.error({ err: cause }, 'a request failed');
  respondWith(error, request, reply);
}

function respondWith(error: MillraceError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  // The framework closes the connection; whoever still sends would see it break in place of the answer.
  const contentLength = Number(request.headers['content-length']);
  if (error.code === 'body_too_large' && contentLength <= MAX_DISCARDED_BYTES) reply.removeHeader('connection');
  return reply.code(error.status).send(errorBodyFor(error, request.url));
}

/** The extraction API answers in its envelope, errors too. */
function errorBodyFor(error: MillraceError, url: string) {
  const body = failureBody(error);
  return /^\/(?:api|files|admin)\//.test(url) ? body : { ...body, metadata: {} };
}

function urlTooLong(cause?: Error): MillraceError {
  const message = `The URL is longer than ${MAX_URL_LENGTH} characters.`;
  return new MillraceError('invalid_params', message, { status: 414, cause });
}

function shorten(path: string): string {
  return path.length > MAX_PATH_IN_MESSAGE ? `${path.slice(0, MAX_PATH_IN_MESSAGE)}…` : path;
}

/** Errors that the framework throws before a route is reached. */
function convertFrameworkError(cause: unknown, request: FastifyRequest): MillraceError | undefined {
  if (!(cause instanceof Error) || !('statusCode' in cause)) return undefined;
  const { statusCode = 500, code } = cause as FastifyError;
  if (statusCode === 413) {
    const limit = `${request.routeOptions.bodyLimit / 1024} KiB`;
    return new MillraceError('body_too_large', `The body is larger than ${limit}.`, { cause });
  }
  if (statusCode === 415) {
    const message = 'Send the body as JSON, with Content-Type: application/json.';
    return new MillraceError('invalid_body', message, { cause, status: 415, fields: [{ path: '', message }] });
  }
  if (statusCode >= 500) return undefined;
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return urlTooLong(cause);
  if (code === 'FST_ERR_BAD_URL') {
    const message = 'The path of the URL is badly encoded: % without two digits, or what is no UTF-8.';
    return new MillraceError('invalid_params', message, { cause });
  }
  const inBody = code?.startsWith('FST_ERR_CTP') || cause instanceof SyntaxError;
  const message = inBody ? `The body is not valid JSON: ${cause.message}` : cause.message;
  return new MillraceError(inBody ? 'invalid_body' : 'invalid_params', message, {
    cause,
    status: statusCode,
    ...(inBody ? { fields: [{ path: '', message }] } : {}),
  });
}
