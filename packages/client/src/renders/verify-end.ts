import type { Deadline } from '../http/deadline.ts';
import { lengthIn, lengthOf, partOf } from './file-head.ts';

/**
 * Whether the end of a response's body says nothing about the end of the file. This holds for a part, because a server
 * may send less than was requested (RFC 9110 §15.3.7). It also holds for a body without a valid length that is not sent
 * in chunks, because the end of its connection ends it (RFC 9112 §6.3). Chromium 156 reads such a body as whole unless
 * the connection is reset; Node's fetch also after a reset (`onHttpSocketError` of undici 8.10.2, Node 26.10.0). Over
 * HTTP/2, and from another origin in browsers, the response does not show how it ends.
 */
export function hasUncertainEnd(response: Response): boolean {
  if (partOf(response) !== undefined) return true;
  const { headers } = response;
  // If the body is compressed, an invalid length is not noticed otherwise.
  return lengthIn(headers) === undefined && !headers.has('transfer-encoding');
}

/**
 * Whether a file has this many bytes, according to the response to a request for the bytes after them. A server that
 * does not support ranges sends the whole file, which is counted.
 *
 * @param deadline Restarted whenever data arrives.
 */
export async function isWholeFile(bytes: number, response: Response, deadline: Deadline): Promise<boolean> {
  const { status, headers, body } = response;
  try {
    if (status === 416) return headers.get('content-range')?.toLowerCase() === `bytes */${bytes}`;
    if (status !== 200 || partOf(response) !== undefined) return false;
    return (lengthOf(response) ?? (await countBytes(body, bytes, deadline))) === bytes;
  } finally {
    // The rest of the body is not needed; a failure to cancel it changes nothing.
    if (body?.locked === false) body.cancel().catch(() => undefined);
  }
}

/** Counts the bytes of a body, until there are more than `limit`. */
async function countBytes(body: Response['body'], limit: number, deadline: Deadline): Promise<number> {
  const reader = body?.getReader();
  let bytes = 0;
  for (let next = await reader?.read(); next?.done === false && bytes <= limit; next = await reader?.read()) {
    bytes += next.value.length;
    deadline.reset();
  }
  if (bytes > limit) reader?.cancel().catch(() => undefined);
  return bytes;
}
