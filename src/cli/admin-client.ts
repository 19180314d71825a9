import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';

const TIMEOUT_MS = 10_000;

/** The admin API cannot be asked, or refused. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
}

/** The admin API of the service on this machine. */
export interface AdminClient {
  /** @throws AdminError */
  ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown>;
}

/**
 * Finds the admin API by the service's own settings.
 *
 * @throws AdminError where they name none.
 */
export function openAdminClient({ ADMIN_HOST: host, ADMIN_PORT: port, ADMIN_TOKEN: token }: Config): AdminClient {
  if (port === undefined || port === 0 || token === undefined) {
    throw new AdminError(
      'Set ADMIN_PORT and ADMIN_TOKEN, in the environment or in a .env file, as the service has them.',
    );
  }
  // Who listens everywhere is found here, too.
  const address = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  return {
    async ask(method, path, body) {
      const { status, answer } = await exchange(address, token, method, path, body);
      if (status >= 200 && status < 300) return answer;
      throw new AdminError(messageOf(answer) ?? `The admin API answered ${status}.`);
    },
  };
}

async function exchange(address: string, token: string, method: string, path: string, body: object | undefined) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; answer: unknown }>();
  const sent = request(address + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  sent.on('response', (response) => {
    text(response).then((found) => resolve({ status: response.statusCode ?? 0, answer: JSON.parse(found) }), reject);
  });
  sent.on('error', reject);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise.catch((error: unknown) => {
    throw new AdminError(`The service gives no proper answer at ${address}. Does it run, with this ADMIN_PORT?`, {
      cause: error,
    });
  });
}

function messageOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return undefined;
  const { error } = answer;
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  return typeof error.message === 'string' ? error.message : undefined;
}
