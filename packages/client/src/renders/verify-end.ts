import type { Deadline } from '../http/deadline.ts';
import { lengthOf, partOf } from './file-head.ts';

/**
 * Whether the end of a response's body says nothing about the end of the file. This holds for a part, because a server
 * may send less than was requested (RFC 9110 §15.3.7). It also holds for a body that has no length and is not sent in
 * chunks. Node's fetch takes a reset connection for its end (`onHttpSocketError` of undici 8.10.2, Node 26.10.0).
 * The fetch of browsers reports an error, and does not show `transfer-encoding`.
 */
export function hasUncertainEnd(response: Response): boolean {
  const { headers } = response;
  if (partOf(response) !== undefined) return true;
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly undici?: string } } };
  const isNode = process?.versions?.undici !== undefined;
  return isNode && !headers.has('content-length') && !headers.has('transfer-encoding');
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
