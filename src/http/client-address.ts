import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6, type Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { createRangeMatcher } from './connections/client-network.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * IP address of the client, without port and zone: that of the connection or, behind trusted proxies, the one that
     * they state. {@link UNKNOWN_CLIENT} if a trusted proxy states something else than an address.
     */
    readonly clientAddress: string;
    /** The client that trusted proxies state, as in `clientAddress`. Undefined if none forwarded the request. */
    readonly forwardedClient: string | undefined;
  }
}

/**
 * The client of a request whose address a trusted proxy does not state in a readable form. All such requests count as
 * one client, so that a text that differs each time does not evade a limit. The word is that of RFC 7239, section 6.2.
 */
export const UNKNOWN_CLIENT = 'unknown';

/** Entries of `X-Forwarded-For` that are read, from the right. Real chains have a few proxies. */
const MAX_HOPS = 32;
/** Longest address with brackets, zone and port. */
const MAX_ENTRY_LENGTH = 100;

/**
 * Adds `clientAddress` and `forwardedClient` to the requests of a server.
 *
 * @param proxies Address ranges of proxies whose `X-Forwarded-For` is trusted. No other forwarding header is read.
 */
export function addClientAddress(app: FastifyInstance, proxies: readonly string[]): void {
  const forwardedClientOf = createForwardedClientReader(proxies);
  app.decorateRequest('forwardedClient', {
    getter(this: FastifyRequest) {
      return forwardedClientOf(this.raw);
    },
  });
  app.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      return this.forwardedClient ?? connectionAddress(this.raw.socket);
    },
  });
}

/** Returns the address of a connection. */
export function connectionAddress({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return readAddress(remoteAddress) ?? UNKNOWN_CLIENT;
}

/**
 * Creates a function that returns the client that trusted proxies state for a request: of the addresses in
 * `X-Forwarded-For`, the last one that does not belong to a trusted proxy, or else the first one. What stands to the left
 * of it is the client's claim. Returns undefined if the connection is not that of a trusted proxy, or states no address.
 *
 * The client can have an address of a trusted range. Only who is connected is known to be a proxy.
 */
export function createForwardedClientReader(
  proxies: readonly string[],
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string | undefined {
  const isProxy = createRangeMatcher(proxies);
  return ({ headers, socket }) => {
    let client: string | undefined;
    // Node joins repeated headers with a comma (RFC 9110, section 5.3).
    const list = String(headers['x-forwarded-for'] ?? '');
    let hops = 0;
    for (let end = list.length; end > 0 && isProxy(client ?? connectionAddress(socket)); ) {
      const comma = list.lastIndexOf(',', end - 1);
      const entry = list.slice(comma + 1, end);
      end = comma;
      hops += 1;
      if (hops > MAX_HOPS) return UNKNOWN_CLIENT;
      // Empty elements of a list are ignored (RFC 9110, section 5.6.1.2).
      if (entry.trim() !== '') client = readAddress(entry) ?? UNKNOWN_CLIENT;
    }
    return client;
  };
}

/**
 * Reads an address in any form that proxies write: with a port, in brackets, in quotes, with a zone, or IPv4 as IPv6.
 * Returns it in its canonical form, because the client chooses its port, and another text would be another client.
 */
function readAddress(text: string): string | undefined {
  if (text.length > MAX_ENTRY_LENGTH) return undefined;
  const [, bracketed, dotted] = /^"?(?:\[([^\]]*)\]|([\d.]+))(?::\w*)?"?$/.exec(text.trim()) ?? [];
  const address = bracketed ?? dotted ?? text.trim();
  if (isIP(address) === 0) return undefined;
  return isIPv6(address) ? ipaddr.process(address.split('%', 1).join('')).toString() : address;
}
