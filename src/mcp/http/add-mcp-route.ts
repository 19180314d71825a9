import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isObject } from '#client/http/error-response.ts';
import { authenticateKeyHolder, type Marketplace } from '../../accounts/authenticate.ts';
import type { Addresses } from '../../contract/addresses.ts';
import { MillraceError } from '../../contract/errors.ts';
import { validUrl } from '../../contract/parse-url.ts';
import { invalidBody } from '../../contract/schema-faults.ts';
import { noteAccess } from '../../http/access-log.ts';
import { disconnectSignal } from '../../http/disconnect-signal.ts';
import type { Platform } from '../../platforms/platform.ts';
import { loadOnce } from '../../waiting/load-once.ts';

/** Maximum characters of the names that a caller chooses for a message and its progress. Clients send numbers or UUIDs. */
const MAX_NAME = 200;

/** Dependencies of the MCP endpoint. */
interface McpServices {
  readonly platforms: readonly Platform[];
  readonly marketplace: Marketplace;
  readonly addresses: () => Addresses;
  /** Version of the software. */
  readonly version: string;
}

/**
 * Adds the MCP endpoint: the streamable HTTP transport of https://modelcontextprotocol.io, without sessions. Its tools
 * call the API of this server with the keys of their caller.
 */
export function addMcpRoute(
  server: FastifyInstance,
  { platforms, marketplace, addresses, version }: McpServices,
): void {
  // Loads the SDK on demand: many services have no caller that uses MCP.
  const responder = loadOnce(async () => {
    const { createMcpResponder } = await import('./respond.ts');
    return createMcpResponder({ server, platforms, version });
  });

  // Before the body is read.
  async function preParsing(request: FastifyRequest): Promise<void> {
    checkOrigin(request, addresses());
    const { account } = await authenticateKeyHolder(request.headers, marketplace);
    noteAccess(request, { keyId: account.id, plan: account.plan.name });
  }
  server.post('/mcp', { preParsing }, async (request, reply) => {
    refuseBatch(request.body);
    refuseLongNames(request.body);
    const respond = await responder();
    return await reply.send(await respond(request, addresses(), disconnectSignal(reply)));
  });
}

/**
 * Rejects lists of messages, which newer versions of the protocol do not have: the limits of connections would not
 * bound their calls.
 *
 * @throws MillraceError `invalid_body`
 */
function refuseBatch(body: unknown): void {
  if (!Array.isArray(body)) return;
  throw invalidBody('message', [{ path: '', message: 'send one message per request, not a list' }]);
}

/**
 * Rejects a message whose ID or progress token is long: responses repeat them, the token in each notification.
 *
 * @throws MillraceError `invalid_body`
 */
function refuseLongNames(message: unknown): void {
  const params = memberOf(message, 'params');
  const names = {
    id: memberOf(message, 'id'),
    'params._meta.progressToken': memberOf(memberOf(params, '_meta'), 'progressToken'),
  };
  for (const [path, name] of Object.entries(names)) {
    if (typeof name !== 'string' || name.length <= MAX_NAME) continue;
    throw invalidBody('message', [{ path, message: `must not have more than ${MAX_NAME} characters` }]);
  }
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/**
 * Rejects requests of pages of other sites, as the protocol requires
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning). A page could otherwise
 * reach a service in the network of its visitor through a host name that it controls.
 *
 * @throws MillraceError `forbidden`
 */
function checkOrigin({ headers: { origin } }: FastifyRequest, { base, api, render }: Addresses): void {
  if (origin === undefined || [base, api, render].some((address) => validUrl(address).origin === origin)) return;
  throw new MillraceError('forbidden', 'Pages of other sites cannot use this endpoint. Use an MCP client instead.');
}
