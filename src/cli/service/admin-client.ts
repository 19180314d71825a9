import { type IncomingMessage, request } from 'node:http';
import { userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import type { Config } from '../../config.ts';

const TIMEOUT_MS = 10_000;
/** Maximum length of a name that the admin API accepts. */
const MAX_ACTOR_LENGTH = 100;
/** Time limit of a backup: enough for tens of gigabytes. */
const BACKUP_TIMEOUT_MS = 600_000;

/** What a command that calls the admin API needs, for its help. */
export const adminAccess = `This command calls the admin API of the service on this machine. The service must run with ADMIN_PORT and
ADMIN_TOKEN, and the command needs the same two in its environment or in the file of --settings.`;

/** The admin API cannot be reached, or refused the request. */
class AdminError extends Error {
  override readonly name = 'AdminError';
}

/** The admin API of the service on this machine. */
export interface AdminClient {
  /** @throws AdminError */
  request(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<unknown>;
  /**
   * Requests a backup of the database.
   *
   * @throws AdminError
   */
  backup(signal: AbortSignal): Promise<IncomingMessage>;
}

/**
 * Connects to the admin API with the service's own settings.
 *
 * @throws AdminError if they do not contain its port and token.
 */
export function openAdminClient({ ADMIN_HOST: host, ADMIN_PORT: port, ADMIN_TOKEN: token }: Config): AdminClient {
  if (port === undefined || port === 0 || token === undefined) {
    throw new AdminError(
      'Set ADMIN_PORT and ADMIN_TOKEN to those of the service, in the environment or in the file of --settings.',
    );
  }
  // A service that listens on all addresses also listens on 127.0.0.1.
  const address = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  const send = (adminRequest: Omit<AdminRequest, 'address' | 'token'>) => exchange({ ...adminRequest, address, token });
  return {
    async request(method, path, body) {
      const response = await send({ method, path, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
      return JSON.parse(await text(response).catch(throwUnreachable(address)));
    },
    backup(signal) {
      return send({
        method: 'GET',
        path: '/admin/backup',
        signal: AbortSignal.any([signal, AbortSignal.timeout(BACKUP_TIMEOUT_MS)]),
      });
    },
  };
}

interface AdminRequest {
  readonly address: string;
  readonly token: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly signal: AbortSignal;
}

/** Sends a request and returns its response, unless that is an error. @throws AdminError */
async function exchange({ address, token, method, path, body, signal }: AdminRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const clientRequest = request(address + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...actorHeader(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal,
  });
  clientRequest.on('response', resolve);
  clientRequest.on('error', reject);
  clientRequest.end(body === undefined ? undefined : JSON.stringify(body));
  const response = await promise.catch(throwUnreachable(address));
  const { statusCode: status = 0 } = response;
  if (status >= 200 && status < 300) return response;
  const errorBody = await text(response).catch(throwUnreachable(address));
  throw new AdminError(messageOf(errorBody) ?? `The admin API returned ${status}.`);
}

/** Returns the header that names the user in the audit log. */
function actorHeader(): Record<string, string> {
  try {
    const name = userInfo()
      .username.replaceAll(/[^\x21-\x7e]/g, '')
      .slice(0, MAX_ACTOR_LENGTH);
    return name === '' ? {} : { 'x-millrace-actor': name };
  } catch {
    // In a container, the user may have no name.
    return {};
  }
}

function throwUnreachable(address: string): (cause: unknown) => never {
  return (cause) => {
    throw new AdminError(
      `The service at ${address} did not return a valid response. Check that it is running with this ADMIN_PORT.`,
      {
        cause,
      },
    );
  };
}

function messageOf(text: string): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const { error } = body;
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  return typeof error.message === 'string' ? error.message : undefined;
}
