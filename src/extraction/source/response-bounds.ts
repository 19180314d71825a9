import { MillraceError } from '../../contract/errors.ts';

/** Maximum size of a response of a site in bytes: twice that of the largest page recorded (2.1 MB, 2026-11). */
export const maxResponseBytes = 4 * 1024 * 1024;
/**
 * Maximum number of characters that begin or separate the values of JSON, in a page and in data alone. The largest page
 * recorded has 119,000 of them (2026-11), and the largest list 91,000. Parsing as many short values takes 50 ms, during
 * which no other request is served. Without these limits, a response of the maximum size would take ten times as long.
 */
const maxSeparators = { page: 240_000, data: 160_000 } as const;

const pageStart = '<'.charCodeAt(0);
const isSeparator = new Uint8Array(256);
for (const character of Buffer.from(',:[{')) isSeparator[character] = 1;

/**
 * Refuses a response with more values than its site can have in mind. Its text may be JSON, or a page that contains some.
 *
 * @param host - its server, for messages.
 * @throws MillraceError `invalid_response_data`
 */
export function requireReadable(body: Uint8Array, host: string): void {
  let separators = 0;
  for (let at = 0; at < body.length; at += 1) separators += isSeparator[body[at] ?? 0] ?? 0;
  const max = maxSeparators[body[0] === pageStart ? 'page' : 'data'];
  if (separators <= max) return;
  const message = `The response from ${host} has too many values: ${separators}, but the maximum is ${max}.`;
  throw new MillraceError('invalid_response_data', `${message} Try again.`);
}
