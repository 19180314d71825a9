import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createClient } from '#client/client.ts';
import type { Addresses } from '../../contract/addresses.ts';
import type { Platform } from '../../platforms/platform.ts';
import { createMcpServer } from '../create-mcp-server.ts';
import { createTools } from '../create-tools.ts';
import { isUnexpected } from '../tool-error.ts';
import { createInternalFetch } from './internal-fetch.ts';
import { toHeaders } from './to-headers.ts';

/** What the endpoint needs of its service. */
interface McpEndpoint {
  /** The server whose API the tools call. */
  readonly server: FastifyInstance;
  readonly platforms: readonly Platform[];
  /** Version of the software. */
  readonly version: string;
}

/** Responds to a request whose caller was authenticated. The signal aborts when the caller disconnects. */
export type RespondToMcp = (request: FastifyRequest, addresses: Addresses, signal: AbortSignal) => Promise<Response>;

/**
 * Creates the responder of the streamable HTTP transport. Each request has its own server: there are no sessions, so
 * every node can respond to every request.
 */
export function createMcpResponder({ server, platforms, version }: McpEndpoint): RespondToMcp {
  const tools = createTools(platforms);

  return async (request, addresses, signal) => {
    const parts = {
      tools,
      service: {
        client: createClient({
          url: addresses.base,
          apiUrl: addresses.api,
          fetch: createInternalFetch(server, addresses, request),
          signal,
        }),
        canStartJobs: request.headers.authorization !== undefined,
        ready: async () => undefined,
      },
      version,
      signal,
      onError: (error: unknown, tool: string) => {
        if (isUnexpected(error)) request.log.error({ err: error, tool }, 'a tool failed');
      },
    };
    // The list of tools never changes, so there is nothing to subscribe to.
    const handler = createMcpHandler(() => createMcpServer(parts), { maxSubscriptions: 0 });
    const webRequest = new Request(`${addresses.base}/mcp`, {
      method: 'POST',
      headers: toHeaders(request.headers),
      signal,
    });
    return await handler.fetch(webRequest, { parsedBody: request.body });
  };
}
