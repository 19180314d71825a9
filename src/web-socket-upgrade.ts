import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { isRouteOf } from './known-methods.ts';

/** The WebSocket routes of a server. */
export interface WebSockets {
  /** Remembers a route, where it takes WebSockets. */
  watch(route: RouteOptions): void;
  /**
   * Whether a request opens a WebSocket at one of the routes. Every other `Upgrade` is ignored, as RFC 9110 §7.8 allows:
   * the request is answered as usual (`curl --http2` asks for `h2c` each time), and its connection stays in the care of
   * the HTTP server.
   */
  isOpenedBy(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean;
  /**
   * Closes the connection of a request that would open a WebSocket, after a response from outside all hooks. The HTTP
   * server no longer owns it, and the plugin closes it in a hook.
   */
  closeAfter(request: FastifyRequest, reply: FastifyReply): void;
}

/** Keeps track of the routes that take WebSockets. */
export function createWebSockets(): WebSockets {
  const routes: (readonly string[])[] = [];

  function isOpenedBy({ method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
    const path = url.split('?', 1)[0]?.split('/') ?? [];
    return routes.some((route) => isRouteOf(route, path));
  }

  return {
    isOpenedBy,
    watch({ url, websocket, wsHandler }) {
      if (websocket === true || wsHandler !== undefined) routes.push(url.split('/'));
    },
    closeAfter(request, reply) {
      if (isOpenedBy(request.raw)) reply.raw.once('finish', () => request.raw.socket.destroySoon());
    },
  };
}
