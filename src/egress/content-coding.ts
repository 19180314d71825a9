import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns the content coding of a body, in lower case; undefined if it has none. Several are joined by commas. Empty
 * members of the list count as absent (RFC 9110 §5.6.1.2), and `identity` means no coding (§8.4.1).
 */
export function contentCodingOf({ 'content-encoding': list = '' }: IncomingHttpHeaders): string | undefined {
  const members = list.split(',').map((member) => member.trim().toLowerCase());
  return members.filter((member) => member !== '' && member !== 'identity').join(', ') || undefined;
}
