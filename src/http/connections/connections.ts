import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MillraceError } from '../../contract/errors.ts';
import { clientNetwork, matchRanges } from './client-network.ts';
import { createPool, type Member, type Refusal } from './pool.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route responds even when the server has no free connection. */
    exemptFromLimit?: boolean;
  }
}

/** Limits of a server's connections. */
export interface ConnectionBounds {
  /** Connections that are served at once. Further ones can only request the health routes. */
  readonly most: number;
  /** Connections that one client can have open: an IPv4 address, or the /64 network of an IPv6 address. */
  readonly mostOfClient: number;
  /**
   * Address ranges of proxies. Their connections are exempt from `mostOfClient`; requests that they forward count for the
   * client that they name. If empty, loopback is exempt, since a reverse proxy on the same machine is common.
   */
  readonly proxies: readonly string[];
}

/** Connection events, for metrics and the log. */
export interface ConnectionEvents {
  /** A request or a connection was refused. `client` is the address or network that has reached its limit. */
  refused(reason: Refusal, client: string | undefined): void;
  /** A waiting connection was closed to make room for another. */
  evicted(): void;
}

/** Tracks the connections of one server. */
export interface Connections {
  /** Number of open connections. */
  readonly open: number;
  /** Starts counting and limiting the connections of a server. */
  watch(server: Server): void;
  /** Counts a request until its response ends. Returns the error to respond with if it cannot be served. */
  admit(request: FastifyRequest, reply: FastifyReply): MillraceError | undefined;
  /** Whether the headers of a response were sent on this connection and the response has not ended. */
  isMidResponse(socket: Socket): boolean;
}

/** Connections beyond `most`, so that health checks get a response when all others are in use. */
const EXTRA = 64;
const EXTRA_OF_CLIENT = 16;
/** Lifetime of a connection beyond `most`. A health check takes 5 s at most. */
const EXTRA_LIFETIME_MS = 10_000;
const RETRY_AFTER_S = 5;
const loopback = ['127.0.0.0/8', '::1'];

interface Connection extends Member {
  readonly socket: Socket;
  /** Responses that have not ended, each with the client that a proxy names for it. Pipelining creates several. */
  readonly responses: Map<ServerResponse, string | undefined>;
}

/** Creates the connection tracking of one server. */
export function createConnections(bounds: ConnectionBounds, events: Partial<ConnectionEvents> = {}): Connections {
  const { most, mostOfClient, proxies } = bounds;
  const isProxy = matchRanges(proxies.length === 0 ? loopback : proxies);
  const served = createPool<Connection>(most, mostOfClient);
  const extra = createPool<Connection>(EXTRA, EXTRA_OF_CLIENT);
  const bySocket = new WeakMap<Socket, Connection>();
  /** Requests in progress that proxies forward, by client. */
  const forwarded = new Map<string, number>();

  function clientOf(address: string | undefined): string | undefined {
    return address === undefined || isProxy(address) ? undefined : clientNetwork(address);
  }

  function accept(socket: Socket): void {
    const responses: Connection['responses'] = new Map();
    const connection: Connection = {
      socket,
      responses,
      client: clientOf(socket.remoteAddress),
      isWaiting: () => socket.readableEnded || responses.keys().every(({ req }) => !req.complete),
      close() {
        leave(connection);
        socket.destroy();
        events.evicted?.();
      },
    };
    bySocket.set(socket, connection);
    socket.once('close', () => leave(connection));
    // The client has closed its side: the connection is half-open.
    socket.once('end', () => waits(connection));
    // Node removes its own listener when a request asks for an upgrade, even if the upgrade fails.
    socket.on('timeout', () => socket.destroy());
    const refusal = served.admit(connection);
    if (refusal === undefined) return;
    if (extra.admit(connection) === undefined) limitLifetime(connection);
    else {
      events.refused?.(refusal, connection.client);
      socket.destroy();
    }
  }

  function limitLifetime(connection: Connection): void {
    const timer = setTimeout(() => {
      if (extra.has(connection)) connection.close();
    }, EXTRA_LIFETIME_MS);
    timer.unref();
    connection.socket.once('close', () => clearTimeout(timer));
  }

  function waits(connection: Connection): void {
    served.waits(connection);
    extra.waits(connection);
  }

  function leave(connection: Connection): void {
    served.remove(connection);
    extra.remove(connection);
    for (const response of connection.responses.keys()) endResponse(connection, response);
  }

  function endResponse({ responses }: Connection, response: ServerResponse): void {
    const client = responses.get(response);
    responses.delete(response);
    if (client === undefined) return;
    const left = (forwarded.get(client) ?? 1) - 1;
    if (left === 0) forwarded.delete(client);
    else forwarded.set(client, left);
  }

  /** Tries again to admit a connection that was over the limit when it was opened. */
  function findPlace(connection: Connection): Refusal | undefined {
    if (!extra.has(connection)) return undefined;
    extra.remove(connection);
    const refusal = served.admit(connection);
    if (refusal !== undefined) extra.admit(connection);
    return refusal;
  }

  return {
    get open() {
      return served.size + extra.size;
    },
    watch(server) {
      server.on('connection', accept);
    },
    admit(request, reply) {
      const connection = bySocket.get(request.raw.socket);
      // Requests that a test injects have no connection.
      if (connection === undefined) return undefined;
      const { client } = connection;
      const forwardedFor = client === undefined && proxies.length > 0 ? clientOf(request.ip) : undefined;
      connection.responses.set(reply.raw, forwardedFor);
      if (forwardedFor !== undefined) forwarded.set(forwardedFor, (forwarded.get(forwardedFor) ?? 0) + 1);
      // It is emitted once; `once` would cost every answer the removal of the listener.
      reply.raw.on('close', () => {
        endResponse(connection, reply.raw);
        waits(connection);
      });

      const refusal = findPlace(connection) ?? (exceeds(forwardedFor) ? 'share' : undefined);
      if (extra.has(connection)) reply.header('connection', 'close');
      if (refusal === undefined || request.routeOptions.config?.exemptFromLimit === true) return undefined;
      events.refused?.(refusal, client ?? forwardedFor);
      return refusalError(refusal);
    },
    isMidResponse(socket) {
      return (
        bySocket
          .get(socket)
          ?.responses.keys()
          .some(({ headersSent }) => headersSent) === true
      );
    },
  };

  function exceeds(client: string | undefined): boolean {
    return client !== undefined && (forwarded.get(client) ?? 0) > mostOfClient;
  }
}

function refusalError(refusal: Refusal): MillraceError {
  const retryAfter = RETRY_AFTER_S;
  if (refusal === 'share') {
    const message = 'Your address has too many connections open. Close some of them, or try again later.';
    return new MillraceError('rate_limited', message, { retryAfter });
  }
  const message = `This node has no free connection. Try again in ${RETRY_AFTER_S} seconds.`;
  return new MillraceError('service_unavailable', message, { retryAfter });
}
