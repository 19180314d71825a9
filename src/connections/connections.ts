import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MillraceError } from '../contract/errors.ts';
import { clientNetwork, matchRanges } from './client-network.ts';
import { createPool, type Member, type Refusal } from './pool.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is answered even when the server has no place for another connection. */
    answersWhenFull?: boolean;
  }
}

/** How many connections a server has open, and for whom. */
export interface ConnectionBounds {
  /** Connections that are served at once. Further ones may only ask for the service's health. */
  readonly most: number;
  /** Connections that one client can have open: an IPv4 address, or the /64 network of an IPv6 address. */
  readonly mostOfClient: number;
  /**
   * Address ranges of proxies. Their connections are exempt from `mostOfClient`; the requests they forward count for the
   * client that they name. When empty, loopback is exempt, since a reverse proxy on the same machine is common.
   */
  readonly proxies: readonly string[];
}

/** What happens to connections, for metrics and the log. */
export interface ConnectionEvents {
  /** A request or a connection was refused. `client` is the address or network whose share is used up. */
  refused(reason: Refusal, client: string | undefined): void;
  /** A waiting connection was closed to make room for another. */
  evicted(): void;
}

/** The connections of one server. */
export interface Connections {
  /** How many are open. */
  readonly open: number;
  /** Starts to count and bound the connections of a server. */
  watch(server: Server): void;
  /** Counts a request until its response ends. Returns the error to respond with if it cannot be served. */
  admit(request: FastifyRequest, reply: FastifyReply): MillraceError | undefined;
  /** Whether the headers of a response were sent on this connection and the response has not ended. */
  isMidResponse(socket: Socket): boolean;
}

/** Places beyond `most`, so that health checks are answered while all others are taken. */
const EXTRA = 64;
const EXTRA_OF_CLIENT = 16;
/** Lifetime of a connection beyond `most`. A health check takes 5 s at most. */
const EXTRA_LIFETIME_MS = 10_000;
const RETRY_AFTER_S = 5;
const loopback = ['127.0.0.0/8', '::1'];

interface Connection extends Member {
  readonly socket: Socket;
  /** Responses that have not ended, each with the client that a proxy forwards it for. Pipelining makes several. */
  readonly responses: Map<ServerResponse, string | undefined>;
}

/** Makes the bounds of one server's connections. */
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
    // From now on it is half-open.
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

  /** Tries again to find a place for a connection that got none when it was opened. */
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
      // Without a connection: a request that a test injects.
      if (connection === undefined) return undefined;
      const { client } = connection;
      const forwardedFor = client === undefined && proxies.length > 0 ? clientOf(request.ip) : undefined;
      connection.responses.set(reply.raw, forwardedFor);
      if (forwardedFor !== undefined) forwarded.set(forwardedFor, (forwarded.get(forwardedFor) ?? 0) + 1);
      reply.raw.once('close', () => {
        endResponse(connection, reply.raw);
        waits(connection);
      });

      const refusal = findPlace(connection) ?? (exceeds(forwardedFor) ? 'share' : undefined);
      if (extra.has(connection)) reply.header('connection', 'close');
      if (refusal === undefined || request.routeOptions.config?.answersWhenFull === true) return undefined;
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
    const message = 'Your address has too many connections open. Close some, or try again when others have ended.';
    return new MillraceError('rate_limited', message, { retryAfter });
  }
  const message = `This node has no connection to spare. Try again in ${RETRY_AFTER_S} seconds.`;
  return new MillraceError('service_unavailable', message, { retryAfter });
}
