import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MillraceError } from '../../contract/errors.ts';
import { createBoundedPool, type PoolMember, type RefusalReason } from './bounded-pool.ts';
import { createClientMemory, defaultClientMemory, type RequestMemory } from './client-memory.ts';
import { type ClientNetworks, clientNetworks, createRangeMatcher } from './client-network.ts';
import { descriptorLimit, maxDownloadsFor } from './descriptor-limit.ts';
import { downloadError, takeDownload } from './download-memory.ts';
import type { TurnTaker } from './fair-turns.ts';
import { createNetworkTally } from './network-tally.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request holds in memory for its client, until its response ends. */
    memory: RequestMemory;
    /** The client whose limits the request counts towards; undefined for a proxy that names no client. */
    clientNetworks: ClientNetworks | undefined;
  }
  interface FastifyContextConfig {
    /** Whether the route responds even when the server has no free connection. */
    exemptFromLimit?: boolean;
    /** Whether a response holds another descriptor besides the connection: a file, or a connection to a source. */
    isDownload?: boolean;
  }
}

/** Limits of a server's connections. */
interface ConnectionLimits {
  /** Connections that are served concurrently. Additional ones can only request the health routes. */
  readonly max: number;
  /** Connections that one client can have open. Its wider networks can have more, but at most half. */
  readonly maxPerClient: number;
  /**
   * Address ranges of proxies. Their connections are exempt from `maxPerClient`; requests that they forward count
   * towards the limit of the client that they name. If empty, loopback is exempt, since a reverse proxy on the same
   * machine is common.
   */
  readonly proxies: readonly string[];
  /**
   * Downloads that are served concurrently, so that they leave descriptors for everything else. One client can have a
   * quarter of them. Default: a portion of the descriptor limit.
   */
  readonly maxDownloads?: number;
  /** Bytes that requests of all clients can hold in memory. Default: a portion of the memory. */
  readonly memory?: number;
}

/** Why a request or a connection is refused: as for a pool, or for its descriptors or its memory. */
export type Refusal = RefusalReason | 'downloads' | 'memory';

/** Connection events, for metrics and the log. */
export interface ConnectionEvents {
  /**
   * Called when a request or a connection of a client is refused. Several of its networks may have reached their limits.
   */
  onRefused(reason: Refusal, client: ClientNetworks | undefined): void;
  /** Called when a waiting connection is closed to make room for another. */
  onEvicted(): void;
}

/** Tracks the connections of one server. */
export interface ConnectionTracker {
  /** Number of open connections. */
  readonly open: number;
  /** Starts counting and limiting the connections of a server. */
  watch(server: Server): void;
  /** Counts a request until its response ends. Returns the error to respond with if it cannot be served. */
  admit(request: FastifyRequest, reply: FastifyReply): MillraceError | undefined;
  /**
   * Returns the client of a connection for its {@link FairTurns}. On the connection of a proxy, that is the client of the
   * request in progress; the connection itself if there is no request, or the proxy names no client.
   */
  clientOf(socket: Socket): TurnTaker;
  /** Begins to count what a connection itself holds for its client. */
  openMemory(socket: Socket): RequestMemory;
  /**
   * Returns how much of the response to the newest request was sent, while the connection has not received all of that
   * request, or has not sent all of the response.
   */
  responseOn(socket: Duplex): 'nothing' | 'a part' | 'all';
}

/** Connections beyond `max`, which allow health checks to get a response when all others are in use. */
const MAX_EXTRA = 64;
const MAX_EXTRA_PER_CLIENT = 16;
/** Lifetime of a connection beyond `max`. A health check takes 5 s at most. */
const EXTRA_LIFETIME_MS = 10_000;
const RETRY_AFTER_S = 5;
const loopback = ['127.0.0.0/8', '::1'];
const unlimited = createClientMemory(Number.POSITIVE_INFINITY);

interface Connection extends PoolMember {
  readonly socket: Socket;
  /** Responses that have not ended, each with the client that a proxy names for it. Pipelining creates several. */
  readonly responses: Map<ServerResponse, ClientNetworks | undefined>;
  /** The response to the newest request, until both are complete: idle connections keep no request in memory. */
  newest: ServerResponse | undefined;
}

/** Creates the connection tracker of one server. */
export function createConnectionTracker(
  limits: ConnectionLimits,
  events: Partial<ConnectionEvents> = {},
): ConnectionTracker {
  const { max, maxPerClient, proxies, maxDownloads = maxDownloadsFor(descriptorLimit()) } = limits;
  const memory = createClientMemory(limits.memory ?? defaultClientMemory(), (client) =>
    events.onRefused?.('memory', client),
  );
  const isProxy = createRangeMatcher(proxies.length === 0 ? loopback : proxies);
  const mainPool = createBoundedPool<Connection>(max, maxPerClient);
  const extraPool = createBoundedPool<Connection>(MAX_EXTRA, MAX_EXTRA_PER_CLIENT);
  const downloads = createBoundedPool<PoolMember>(maxDownloads, Math.ceil(maxDownloads / 4));
  const bySocket = new WeakMap<Duplex, Connection>();
  const forwardedRequests = createNetworkTally(maxPerClient, Math.ceil(max / 2));

  function accept(socket: Socket): void {
    const responses: Connection['responses'] = new Map();
    const connection: Connection = {
      socket,
      responses,
      newest: undefined,
      client: clientOf(socket, isProxy),
      isWaiting: () => socket.readableEnded || responses.keys().every(({ req }) => !req.complete),
      close() {
        remove(connection);
        socket.destroy();
        events.onEvicted?.();
      },
    };
    bySocket.set(socket, connection);
    socket.once('close', () => remove(connection));
    // The client has closed its side: the connection is half-open.
    socket.once('end', () => markWaiting(connection));
    // Node removes its own listener when a request contains an upgrade, even if the upgrade fails.
    socket.on('timeout', () => socket.destroy());
    const refusal = mainPool.admit(connection);
    if (refusal === undefined) return;
    if (extraPool.admit(connection) === undefined) limitLifetime(connection);
    else {
      events.onRefused?.(refusal, connection.client);
      socket.destroy();
    }
  }

  function limitLifetime(connection: Connection): void {
    const timer = setTimeout(() => {
      if (extraPool.has(connection)) connection.close();
    }, EXTRA_LIFETIME_MS);
    timer.unref();
    connection.socket.once('close', () => clearTimeout(timer));
  }

  function markWaiting(connection: Connection): void {
    mainPool.markWaiting(connection);
    extraPool.markWaiting(connection);
  }

  function remove(connection: Connection): void {
    mainPool.remove(connection);
    extraPool.remove(connection);
    for (const response of connection.responses.keys()) endResponse(connection, response);
  }

  function endResponse({ responses }: Connection, response: ServerResponse): void {
    const client = responses.get(response);
    responses.delete(response);
    if (client !== undefined) forwardedRequests.add(client, -1);
  }

  /** Tries again to admit a connection that was over the limit when it was opened. */
  function readmit(connection: Connection): RefusalReason | undefined {
    if (!extraPool.has(connection)) return undefined;
    extraPool.remove(connection);
    const refusal = mainPool.admit(connection);
    if (refusal !== undefined) extraPool.admit(connection);
    return refusal;
  }

  /** Counts a download until its response ends, unless there are too many, or they leave too little memory. */
  function admitDownload(
    client: ClientNetworks | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): RefusalReason | undefined {
    const download: PoolMember = { client, isWaiting: () => false, close: () => undefined };
    const refusal = downloads.admit(download);
    if (refusal === undefined) reply.raw.on('close', () => downloads.remove(download));
    else events.onRefused?.('downloads', client);
    return refusal ?? takeDownload(request.memory);
  }

  return {
    get open() {
      return mainPool.size + extraPool.size;
    },
    watch(server) {
      server.on('connection', accept);
      server.prependListener('request', ({ socket }, response) => {
        const connection = bySocket.get(socket);
        if (connection !== undefined) connection.newest = response;
      });
    },
    admit(request, reply) {
      const connection = bySocket.get(request.raw.socket);
      // Requests that the service or a test injects have no connection.
      if (connection === undefined) {
        request.memory = unlimited.open(undefined);
        return undefined;
      }
      const { client } = connection;
      const forwardedFor = client === undefined ? forwardedClientOf(request) : undefined;
      connection.responses.set(reply.raw, forwardedFor);
      if (forwardedFor !== undefined) forwardedRequests.add(forwardedFor, 1);
      // The event is emitted once; `once` would add the cost of removing the listener to every response.
      reply.raw.on('close', () => {
        request.memory.release();
        endResponse(connection, reply.raw);
        if (connection.newest === reply.raw && request.raw.complete) connection.newest = undefined;
        markWaiting(connection);
      });

      const reader = client ?? forwardedFor;
      request.clientNetworks = reader;
      request.memory = memory.open(reader);
      const isDownload = request.routeOptions.config?.isDownload === true;
      const download = isDownload ? admitDownload(reader, request, reply) : undefined;
      if (download !== undefined) return downloadError(download);
      const refusal = readmit(connection) ?? (exceedsClientLimit(forwardedFor) ? 'share' : undefined);
      if (extraPool.has(connection)) reply.header('connection', 'close');
      if (refusal === undefined || request.routeOptions.config?.exemptFromLimit === true) return undefined;
      events.onRefused?.(refusal, reader);
      return refusalError(refusal);
    },
    clientOf(socket) {
      const { client, newest, responses } = bySocket.get(socket) ?? {};
      return client ?? (newest && responses?.get(newest)) ?? [socket];
    },
    openMemory: (socket) => memory.open(bySocket.get(socket)?.client),
    responseOn(socket) {
      const { newest } = bySocket.get(socket) ?? {};
      if (newest?.headersSent !== true) return 'nothing';
      if (!newest.writableFinished) return 'a part';
      return newest.req.complete ? 'nothing' : 'all';
    },
  };

  function exceedsClientLimit(client: ClientNetworks | undefined): boolean {
    return client !== undefined && forwardedRequests.spare(client) < 0;
  }
}

/** Returns the client of a connection, or undefined if it is that of a proxy. */
function clientOf({ remoteAddress }: Socket, isProxy: (address: string) => boolean): ClientNetworks | undefined {
  return remoteAddress === undefined || isProxy(remoteAddress) ? undefined : clientNetworks(remoteAddress);
}

/** Returns the client that a proxy states, which may be a proxy as well: only whom the connection is of is known. */
function forwardedClientOf({ forwardedClient }: FastifyRequest): ClientNetworks | undefined {
  return forwardedClient === undefined ? undefined : clientNetworks(forwardedClient);
}

function refusalError(refusal: RefusalReason): MillraceError {
  const retryAfter = RETRY_AFTER_S;
  if (refusal === 'share') {
    const message = 'Your address has too many open connections. Close some of them, or try again later.';
    return new MillraceError('rate_limited', message, { retryAfter });
  }
  const message = `This node has no free connection. Try again in ${RETRY_AFTER_S} seconds.`;
  return new MillraceError('service_unavailable', message, { retryAfter });
}
