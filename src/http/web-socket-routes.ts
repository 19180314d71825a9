import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { matchesRoute } from './allowed-methods.ts';

/** The WebSocket routes of a server. */
interface WebSocketRoutes {
  /** Records a route if it accepts WebSockets. */
  watch(route: RouteOptions): void;
  /**
   * Whether a request opens a WebSocket at one of the routes. Any other `Upgrade` is ignored, as RFC 9110 §7.8 allows:
   * the request gets a normal response (`curl --http2` always requests `h2c`), and the HTTP server keeps its
   * connection. So is one with a body, which the handshake does not have (RFC 6455 §4.1).
   */
  acceptsUpgrade(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean;
  /**
   * Closes the connection of a request that would open a WebSocket after any response of HTTP. The HTTP server no longer
   * owns the connection, and nobody reads what follows.
   */
  closeAfter(request: FastifyRequest, reply: FastifyReply): void;
}

/** Tracks the routes that accept WebSockets. */
export function createWebSocketRoutes(): WebSocketRoutes {
  const routes: (readonly string[])[] = [];

  function acceptsUpgrade({ method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
    if ('transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0) return false;
    const path = url.split('?', 1)[0]?.split('/') ?? [];
    return routes.some((route) => matchesRoute(route, path));
  }

  return {
    acceptsUpgrade,
    watch({ url, websocket, wsHandler }) {
      if (websocket === true || wsHandler !== undefined) routes.push(url.split('/'));
    },
    closeAfter(request, reply) {
      if (!acceptsUpgrade(request.raw)) return;
      reply.header('connection', 'close');
      reply.raw.once('finish', () => request.raw.socket.destroySoon());
    },
  };
}
