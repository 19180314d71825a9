import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What the route of a request adds to its line. Members that are undefined are left out. */
export interface AccessFacts {
  /** ID of the account whose key was used, and the name of its plan. */
  readonly keyId?: string | undefined;
  readonly plan?: string | undefined;
  /** The platform that was extracted from, and how the result was obtained. */
  readonly platform?: string | undefined;
  readonly cache?: string | undefined;
  /** Credits that the response cost. */
  readonly credits?: number | undefined;
  /** ID of the job that the request started or attached to. */
  readonly job?: string | undefined;
  /** The error code of the response. */
  readonly code?: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by {@link noteAccess}. */
    accessFacts: AccessFacts | undefined;
  }
}

/** Routes that programs poll: health checks and metrics. */
const polledRoute = /^\/(?:health(?:\/|$)|metrics$)/;
/** Minimum milliseconds between two logged successful requests to one polled route. */
const POLL_INTERVAL_MS = 60_000;

/** The status of responses that are sent outside Node's HTTP server: opened WebSockets, and malformed requests. */
const outsideStatus = new WeakMap<IncomingMessage, number>();

/** What the log knows of a connection. */
interface Connection {
  /** How many bytes had been sent at the end of the last response. */
  sentBefore: number;
  /** The newest request, until it is logged: idle connections keep no request in memory. */
  newest: readonly [FastifyRequest, FastifyReply] | undefined;
}

const connections = new WeakMap<Duplex, Connection>();

/** Adds facts to the line of a request. */
export function noteAccess(request: FastifyRequest, facts: AccessFacts): void {
  const { accessFacts } = request;
  request.accessFacts = accessFacts === undefined ? facts : { ...accessFacts, ...facts };
}

/** Records the status of a response that is sent outside Node's HTTP server. */
export function noteOutsideStatus(request: IncomingMessage, status: number): void {
  outsideStatus.set(request, status);
}

/** Returns the request of a connection that has no response yet. */
export function pendingRequest(socket: Duplex): FastifyRequest | undefined {
  const [request, reply] = connections.get(socket)?.newest ?? [];
  return reply?.raw.headersSent === false ? request : undefined;
}

/** Writes one line about a request once its response has ended or its connection is closed. */
export type LogAccess = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Logs every request to a server, except most successful requests to polled routes. The line contains the pattern of
 * the route, and no part of the URL: sealed links and query strings are credentials or personal.
 *
 * @param addresses Whether to log the addresses of callers.
 * @returns The function that logs requests that no hook sees.
 */
export function addAccessLog(app: FastifyInstance, addresses: boolean): LogAccess {
  /** When the last successful request to each polled route was logged. */
  const polledAt = new Map<string, number>();
  app.decorateRequest('accessFacts', undefined);

  function isSampled(route: string): boolean {
    const now = performance.now();
    if (now - (polledAt.get(route) ?? Number.NEGATIVE_INFINITY) < POLL_INTERVAL_MS) return false;
    polledAt.set(route, now);
    return true;
  }

  function logRequest(request: FastifyRequest, reply: FastifyReply, connection: Connection): void {
    const { raw, method, accessFacts } = request;
    const route = request.routeOptions.url ?? 'unmatched';
    const status = statusOf(raw, reply);
    const bytes = takeSentBytes(connection, raw.socket.bytesWritten);
    if (connection.newest?.[0] === request) connection.newest = undefined;
    if (polledRoute.test(route) && status === 200 && !isSampled(route)) return;
    request.log.info(
      {
        method,
        route,
        status,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        bytes,
        ...accessFacts,
        ...(reply.raw.writableFinished || outsideStatus.has(raw) ? {} : { aborted: true }),
        ...(addresses ? { address: request.clientAddress } : {}),
      },
      'request',
    );
  }

  const logAccess: LogAccess = (request, reply) => {
    const connection = noteNewest(request, reply);
    // The event is emitted once; `once` would add the cost of removing the listener to every response.
    reply.raw.on('close', () => logRequest(request, reply, connection));
  };
  app.addHook('onRequest', (request, reply, done) => {
    logAccess(request, reply);
    done();
  });
  return logAccess;
}

/** Records the newest request of its connection. */
function noteNewest(request: FastifyRequest, reply: FastifyReply): Connection {
  const { socket } = request.raw;
  const known = connections.get(socket);
  if (known !== undefined) {
    known.newest = [request, reply];
    return known;
  }
  const connection: Connection = { sentBefore: 0, newest: [request, reply] };
  connections.set(socket, connection);
  return connection;
}

/** Returns the status of the response; null if the caller disconnected before it was sent. */
function statusOf(request: IncomingMessage, { raw }: FastifyReply): number | null {
  return outsideStatus.get(request) ?? (raw.headersSent ? raw.statusCode : null);
}

/** Returns how many bytes a connection has sent since the end of its last response, including heads. */
function takeSentBytes(connection: Connection, bytesWritten: number): number {
  const bytes = bytesWritten - connection.sentBefore;
  connection.sentBefore = bytesWritten;
  return bytes;
}
