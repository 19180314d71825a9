import { MillraceError } from '../../contract/errors.ts';

/** Maximum size of a response of a site in bytes: twice that of the largest page recorded (2.1 MB, 2026-11). */
export const maxResponseBytes = 4 * 1024 * 1024;
/**
 * Maximum number of characters that begin or separate the values of JSON, in a page and in data alone. The largest page
 * recorded has 119,000 of them (2026-11), and the largest list 91,000. Parsing as many short values takes 50 ms, during
 * which no other request is served. Without these limits, a response of the maximum size would take ten times as long.
 */
const maxSeparators = { page: 240_000, data: 130_000 } as const;

/**
 * Maximum number of different member names. The engine keeps a shared copy of each, and 80,000 of them take as long to
 * parse as millions of values. The response with the most recorded has 6,600 (2026-11).
 */
const maxNames = 20_000;

const pageStart = '<'.charCodeAt(0);
const quote = '"'.charCodeAt(0);
const colon = ':'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const isSeparator = new Uint8Array(256);
for (const character of Buffer.from(',:[{')) isSeparator[character] = 1;
const isSpace = new Uint8Array(256);
for (const character of Buffer.from(' \t\r\n')) isSpace[character] = 1;

/**
 * Refuses a response with more values or more different member names than its site can have in mind. Its text may be
 * JSON, or a page that contains some.
 *
 * @param host - its server, for messages.
 * @throws MillraceError `invalid_response_data`
 */
export function requireReadable(body: Uint8Array, host: string): void {
  const { separators, names } = countStructure(body);
  const max = maxSeparators[body[0] === pageStart ? 'page' : 'data'];
  if (separators > max) throw tooMany('values', separators, max, host);
  if (names > maxNames) throw tooMany('different names', names, maxNames, host);
}

function tooMany(what: string, count: number, max: number, host: string): MillraceError {
  const message = `The response from ${host} has too many ${what}: ${count}, but the maximum is ${max}.`;
  return new MillraceError('invalid_response_data', `${message} Try again.`);
}

/**
 * Counts separators and different member names. A name is what is between two quotation marks before a colon, wherever
 * in a page they are. Names whose hashes share their last bits count once.
 */
function countStructure(body: Uint8Array): { separators: number; names: number } {
  const seen = new Uint8Array(1 << 18);
  let separators = 0;
  let names = 0;
  /** Hash of the bytes since the latest quotation mark, and of those between the last two of them. */
  let hash = 0;
  let quoted = 0;
  /** Whether only spaces have followed the latest quotation mark. */
  let isAfterQuote = false;
  let isEscaped = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    separators += isSeparator[byte] ?? 0;
    if (byte === quote && !isEscaped) {
      quoted = hash;
      hash = 0;
      isAfterQuote = true;
    } else if (byte === colon && isAfterQuote) {
      const slot = (quoted ^ (quoted >>> 14)) & (seen.length - 1);
      names += 1 - (seen[slot] ?? 0);
      seen[slot] = 1;
      isAfterQuote = false;
    } else if (isSpace[byte] === 0) {
      hash = (Math.imul(hash, 0x01000193) ^ byte) | 0;
      isAfterQuote = false;
    }
    isEscaped = byte === backslash && !isEscaped;
  }
  return { separators, names };
}
