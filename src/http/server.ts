import { createServer as createHttpServer } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { MillraceError } from '../contract/errors.ts';
import { jobLimits } from '../contract/job.ts';
import { addAccessLog, noteOutsideStatus } from './access-log.ts';
import { trackAllowedMethods } from './allowed-methods.ts';
import { addChallenges } from './challenge.ts';
import { addClientAddress } from './client-address.ts';
import { addCompression } from './compression.ts';
import { type ConnectionTracker, createConnectionTracker } from './connections/connection-tracker.ts';
import { defaultMaxConnections } from './connections/descriptor-limit.ts';
import { endGently, endSocket } from './connections/end-socket.ts';
import { createFairTurns, type FairTurns } from './connections/fair-turns.ts';
import { serveSerially } from './connections/serial-requests.ts';
import { addCors } from './cors.ts';
import { MAX_URL_LENGTH, respondWith, sendError, urlTooLongError } from './error-responses.ts';
import { inertHeaders } from './inert-headers.ts';
import { rejectMalformedRequest } from './malformed-requests.ts';
import { addBodyParser } from './request-body.ts';
import { checkPathParameters, checkRequestHead, routedPath } from './request-head.ts';
import { addRequestIdHeader, requestIdHeader, requestIdOf, upgradeIdOf } from './request-id.ts';
import { addResponseMemory } from './response-memory.ts';
import { createWebSocketRoutes } from './web-socket-routes.ts';

/**
 * Maximum size of a request head in bytes. It exceeds the longest allowed URL, so that the server, not the HTTP parser,
 * responds to a URL that is too long.
 */
const MAX_HEAD_BYTES = 65_536;
const MAX_MESSAGE_BYTES = 1_024;
/** Time limit for a request to arrive in full. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Interval of checks for requests that arrive too slowly. Node's default of 30 s would double the timeout. */
const REQUEST_CHECK_MS = 1_000;
/** Time after which a connection without traffic in either direction, such as an unread download, is closed. */
const IDLE_TIMEOUT_MS = 60_000;
/**
 * Maximum idle time between two requests. It exceeds that of proxies (nginx: 60 s), so that the proxy closes the
 * connection.
 */
const KEEP_ALIVE_MS = 72_000;
const ADMIN_CONNECTIONS = 256;
/** Time limit for a WebSocket to respond to a close frame. */
const WEB_SOCKET_CLOSE_TIMEOUT_MS = 2_000;
/** Interval at which a closing server checks for connections whose response is complete. */
const IDLE_CHECK_MS = 100;
/** Maximum length of a path in a message. Longer paths are cut. */
const MAX_PATH_IN_MESSAGE = 200;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether browsers may register the response as a service worker. */
    servesWorker?: boolean;
  }
}

/** Settings of a server. */
export interface ServerSettings {
  /** Address ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly proxies?: readonly string[];
  /** Default: a tracker for as many connections as the descriptor limit allows. */
  readonly connections?: ConnectionTracker;
  /** Whether the log contains the addresses of callers; default false. */
  readonly logAddresses?: boolean;
  /** Milliseconds; default 30 s. */
  readonly requestTimeout?: number;
  /** Milliseconds; default 60 s. */
  readonly idleTimeout?: number;
}

/** Creates the HTTP server that callers connect to. The modules that own the routes add them. */
export async function createServer(log: FastifyBaseLogger, settings: ServerSettings = {}): Promise<FastifyInstance> {
  // Imported here because the bare servers of the operator and of commands do not need it.
  const { default: websocket } = await import('@fastify/websocket');
  const { proxies = [] } = settings;
  const maxConnections = defaultMaxConnections();
  const { connections = createConnectionTracker({ max: maxConnections, maxPerClient: maxConnections, proxies }) } =
    settings;
  const turns = createFairTurns();
  const app = newServer(log, {
    ...settings,
    headers: { 'access-control-allow-origin': '*' },
    proxies,
    connections,
    turns,
    // Requests that arrive over open connections while the server is closing still get a response.
    closing: { forceCloseConnections: 'idle', return503OnClosing: false },
  });
  addCors(app);
  addResponseMemory(app);
  addCompression(app);
  await app.register(websocket, {
    // One frame of a connection in each turn of the event loop: one read returns thousands of short ones.
    options: { maxPayload: MAX_MESSAGE_BYTES, allowSynchronousEvents: false },
    preClose: async () => {
      const { websocketServer } = app;
      // No new WebSockets are accepted.
      websocketServer.close();
      // Going away (RFC 6455, section 7.4.1). Clients decide themselves whether to reconnect to another node.
      for (const socket of websocketServer.clients) socket.close(1001, 'the node is stopping');
    },
  });
  app.websocketServer.on('wsClientError', (error, socket) => rejectMalformedRequest(error, socket, log));
  // A hijacked reply does not send the header.
  app.websocketServer.on('headers', (headers, request) => {
    headers.push(`${requestIdHeader}: ${upgradeIdOf(request)}`);
    noteOutsideStatus(request, 101);
  });
  // Preflights get a response at any path.
  return addLimitsAndErrors(app, { connections, turns }, ['OPTIONS']);
}

/**
 * Closes a server of `createServer`. It accepts no new connections, closes idle ones immediately, and closes the others
 * when their response is complete. Connections that are left at the deadline are cut.
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

/** Creates an HTTP server with limits and uniform error responses. Pages of other sites cannot read its responses. */
export function createBareServer(
  log: FastifyBaseLogger,
  connections = createConnectionTracker({ max: ADMIN_CONNECTIONS, maxPerClient: ADMIN_CONNECTIONS, proxies: [] }),
): FastifyInstance {
  const turns = createFairTurns();
  const closing = { forceCloseConnections: true };
  const app = newServer(log, { headers: {}, proxies: [], connections, turns, closing });
  return addLimitsAndErrors(app, { connections, turns }, []);
}

/** What the clients of a server share. */
interface Sharing {
  readonly connections: ConnectionTracker;
  readonly turns: FairTurns;
}

interface ServerOptions extends ServerSettings, Sharing {
  /** Headers of responses that are sent before any hook runs. */
  readonly headers: Readonly<Record<string, string>>;
  readonly proxies: readonly string[];
  readonly connections: ConnectionTracker;
  /** How open connections are handled when the server closes. */
  readonly closing: Pick<FastifyServerOptions, 'forceCloseConnections' | 'return503OnClosing'>;
}

function newServer(log: FastifyBaseLogger, options: ServerOptions): FastifyInstance {
  const { headers, proxies, connections, turns, closing } = options;
  const { requestTimeout = REQUEST_TIMEOUT_MS, idleTimeout = IDLE_TIMEOUT_MS } = options;
  const webSockets = createWebSocketRoutes();
  const app = Fastify({
    // Called once for each address that the server listens on (localhost has two).
    serverFactory: (handler) => {
      const server = createHttpServer(
        {
          maxHeaderSize: MAX_HEAD_BYTES,
          headersTimeout: requestTimeout,
          requestTimeout,
          connectionsCheckingInterval: REQUEST_CHECK_MS,
          keepAliveTimeout: KEEP_ALIVE_MS,
          shouldUpgradeCallback: webSockets.acceptsUpgrade,
          // Node's own rejection would have no body; see `checkRequestHead`.
          requireHostHeader: false,
        },
        handler,
      );
      // An expectation that the server does not know is ignored (RFC 9110 §10.1.1) instead of rejected with 417 without
      // a body.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response));
      connections.watch(server);
      serveSerially(server, { clientOf: connections.clientOf, turns, openMemory: connections.openMemory });
      endGently(server);
      return server.setTimeout(idleTimeout);
    },
    loggerInstance: log,
    // Sealed URLs are credentials, and the request log would contain URLs.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: jobLimits.bodySize,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    exposeHeadRoutes: false,
    ...closing,
    clientErrorHandler: (clientError, socket) => {
      const sent = connections.responseOn(socket);
      if (sent === 'nothing') rejectMalformedRequest(clientError, socket, log);
      // No error response can be sent in the middle of another response, and a request gets no second one.
      else if (sent === 'a part') socket.destroy(clientError);
      else endSocket(socket);
    },
    frameworkErrors: (frameworkError, request: FastifyRequest, reply: FastifyReply) => {
      webSockets.closeAfter(request, reply);
      logAccess(request, reply);
      sendError(frameworkError, request, reply.headers({ ...inertHeaders, ...headers, [requestIdHeader]: request.id }));
    },
  });
  // Each request gets its own when it is admitted.
  app.decorateRequest('memory');
  app.decorateRequest('clientNetworks');
  // Before the hooks that refuse requests: the plugin closes only the connections of requests that reach its own hook.
  app.addHook('onRequest', (request, reply, done) => {
    webSockets.closeAfter(request, reply);
    done();
  });
  addBodyParser(app, ({ raw }) => turns.next(connections.clientOf(raw.socket)));
  addRequestIdHeader(app);
  addClientAddress(app, proxies);
  const logAccess = addAccessLog(app, options.logAddresses ?? false);
  app.addHook('onRoute', (route) => {
    webSockets.watch(route);
    // HEAD is GET with a body that Node leaves out, so that all headers are the same (RFC 9110 §9.3.2). The framework's
    // own HEAD routes drop the body before it is compressed.
    if (route.method === 'GET' && route.exposeHeadRoute !== false) route.method = ['GET', 'HEAD'];
  });
  return app;
}

/**
 * Number of listeners to the end of a response above which Node warns of a leak. The limits, the log, the trace, the
 * route and the stream of its body have up to eleven.
 */
const MAX_WATCHERS = 20;

/**
 * Adds the connection limits and the error responses to a server.
 *
 * @param globalMethods Methods that are allowed at any path.
 */
function addLimitsAndErrors(
  app: FastifyInstance,
  { connections, turns }: Sharing,
  globalMethods: readonly string[],
): FastifyInstance {
  // This hook uses a callback because a promise for each request would cost more than the hook.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(inertHeaders);
    reply.raw.setMaxListeners(MAX_WATCHERS);
    const refusal = connections.admit(request, reply);
    // Not thrown, because every refusal would then be logged as an internal error.
    if (refusal !== undefined) {
      respondWith(refusal, request, reply);
      return;
    }
    if (request.url.length > MAX_URL_LENGTH) throw urlTooLongError();
    checkRequestHead(request.raw);
    checkPathParameters(request.params);
    // Browsers send this header when they register a service worker
    // (https://w3c.github.io/ServiceWorker/#service-worker-script-request).
    if ('service-worker' in request.headers && request.routeOptions.config?.servesWorker !== true) {
      throw new MillraceError('invalid_params', 'This path does not serve a service worker. Use /service-worker.js.');
    }
    done();
  });
  // The head was parsed in a turn of the proxy's connection. The rest is work for the client that the proxy states.
  app.addHook('onRequest', ({ forwardedClient, raw }, _reply, done) => {
    if (forwardedClient === undefined || !turns.mustWait()) done();
    else turns.wait(connections.clientOf(raw.socket), done);
  });
  addChallenges(app);
  app.setErrorHandler(sendError);
  const methodsAt = trackAllowedMethods(app, globalMethods);
  app.setNotFoundHandler(({ method, url }, reply) => {
    const path = url.split('?', 1)[0] ?? '';
    const allowedMethods = methodsAt(routedPath(url)).join(', ');
    if (allowedMethods === '')
      throw new MillraceError('not_found', `No route matches ${method} ${shorten(path)}. Check the URL.`);
    reply.header('allow', allowedMethods);
    throw new MillraceError(
      'method_not_allowed',
      `${shorten(path)} does not support ${method}. Use one of these methods: ${allowedMethods}.`,
    );
  });
  return app;
}

function shorten(path: string): string {
  return path.length > MAX_PATH_IN_MESSAGE ? `${path.slice(0, MAX_PATH_IN_MESSAGE)}…` : path;
}
