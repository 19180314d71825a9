import type { IncomingMessage } from 'node:http';
import { MillraceError } from '../contract/errors.ts';

/**
 * Rejects requests that the HTTP parser and the router accept but should not.
 *
 * @throws MillraceError `invalid_params` for an HTTP/1.1 request without a host (RFC 9112 §3.2), and for a target that
 * begins with `*`, which the router treats as `/`. Preflights, which may have the target `*` (§3.2.4), are handled
 * earlier.
 */
export function checkRequestHead({ httpVersion, headers, url = '' }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new MillraceError('invalid_params', 'The request has no Host header. Add one.');
  }
  if (url.startsWith('*')) {
    throw new MillraceError('invalid_params', 'The request target must be a path, such as /health.');
  }
}

/**
 * Rejects empty path parameters, which the router accepts.
 *
 * @throws MillraceError `not_found`
 */
export function checkPathParameters(parameters: unknown): void {
  const entries = Object.entries(parameters ?? {});
  if (entries.some(([name, value]) => name !== '*' && value === '')) {
    throw new MillraceError('not_found', 'A segment of the path is empty. Check the URL.');
  }
}

/**
 * Returns the path of a request target as the router compares it: decoded, and without the origin of an absolute URL
 * (§3.2.2).
 */
export function routedPath(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '';
  return decodeURI(path);
}
