import type { IncomingHttpHeaders } from 'node:http';

/**
 * Joins the values of repeated headers by a comma (RFC 9110 §5.3). Only `set-cookie`, whose values contain commas,
 * stays a list.
 */
export function joinRepeated(headers: Readonly<Record<string, string | string[] | undefined>>): IncomingHttpHeaders {
  const joined = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) && name !== 'set-cookie' ? value.join(', ') : value,
  ]);
  return Object.fromEntries(joined);
}
