import type { IncomingHttpHeaders } from 'node:http';
import { malformedResponse } from './transport-errors.ts';

/**
 * Whether a body is sent in chunks. Other transfer codings would stay in the body. No request asks for them, so no
 * server may send them (RFC 9112 §7.4).
 *
 * @throws HTTPParserError for any other transfer coding.
 */
export function isChunked({ 'transfer-encoding': codings }: IncomingHttpHeaders): boolean {
  if (codings === undefined) return false;
  if (codings.toLowerCase() === 'chunked') return true;
  throw malformedResponse(`its body has the transfer coding "${codings.slice(0, 40)}"`);
}
