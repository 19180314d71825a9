import type { FastifyRequest } from 'fastify';
import type { Actor } from '../audit/audit-log.ts';
import { MillraceError } from '../contract/errors.ts';

/**
 * Returns the actor of a request: the name in `X-Millrace-Actor`, which is not verified. Each caller with the token of
 * the admin API can send any name.
 *
 * @throws MillraceError `invalid_params` if the name is not valid.
 */
export function actorOf({ headers, id }: FastifyRequest): Actor {
  const name = headers['x-millrace-actor'] ?? 'admin API';
  if (typeof name === 'string' && /^[\x20-\x7e]{1,100}$/.test(name)) return { name, requestId: id };
  throw new MillraceError('invalid_params', 'X-Millrace-Actor must have 1 to 100 printable ASCII characters.', {
    parameter: 'X-Millrace-Actor',
  });
}
