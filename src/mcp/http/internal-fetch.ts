import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import type { ClientOptions } from '#client/client.ts';
import type { Addresses } from '../../contract/addresses.ts';
import { requestIdHeader } from '../../http/request-id.ts';
import { toHeaders } from './to-headers.ts';

/** Headers of the caller's request that identify the caller: keys, addresses that proxies state, and the trace. */
const callerHeaders = [
  'authorization',
  'x-marketplace-key',
  'x-marketplace-host',
  'x-marketplace-proxy-secret',
  'x-marketplace-user',
  'x-marketplace-subscription',
  'x-forwarded-for',
  'user-agent',
  'traceparent',
] as const;

/** Statuses of responses without a body. */
const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Creates a fetch that passes requests to the server of this process, in the name of the caller of another request.
 * They have the caller's keys, address and request ID, so that authentication, limits and the log apply as usual. No
 * request leaves the process: only addresses of the service are accepted.
 */
export function createInternalFetch(
  server: FastifyInstance,
  addresses: Addresses,
  caller: FastifyRequest,
): NonNullable<ClientOptions['fetch']> {
  const identity: Record<string, string | string[]> = { [requestIdHeader]: caller.id };
  for (const name of callerHeaders) {
    const value = caller.headers[name];
    if (value !== undefined) identity[name] = value;
  }
  const { remoteAddress } = caller.raw.socket;

  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = pathAt(addresses, input instanceof Request ? input.url : String(input));
    if (url === undefined) throw new TypeError('only addresses of this service can be requested');
    const {
      statusCode,
      headers: received,
      rawPayload,
    } = await server.inject({
      method: method as HTTPMethods,
      url,
      headers: { ...Object.fromEntries(new Headers(headers)), ...identity },
      ...(typeof body === 'string' ? { payload: body } : {}),
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
      ...(signal instanceof AbortSignal ? { signal } : {}),
    });
    return new Response(emptyStatuses.has(statusCode) ? null : new Uint8Array(rawPayload), {
      status: statusCode,
      headers: toHeaders(received),
    });
  };
}

/** Returns the path and query of a URL below one of the service's addresses; undefined for any other URL. */
function pathAt({ base, api, render }: Addresses, url: string): string | undefined {
  const address = [base, api, render].find((one) => url.startsWith(`${one}/`));
  return address === undefined ? undefined : url.slice(address.length);
}
