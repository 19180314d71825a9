/**
 * Maximum number of different member names in a body. The engine keeps a shared copy of each name: 100,000 of them take
 * over 100 ms to parse (Node 26.10).
 */
const MAX_NAMES = 10_000;
/**
 * Maximum number of objects and lists in a body. A batch of the maximum size that consists of the shortest chapters has
 * fewer. Looking for names such as `__proto__` in them takes time.
 */
const MAX_CONTAINERS = 50_000;

/** Size of a body in bytes up to which it cannot exceed these limits: a member takes five bytes or more. */
export const uncheckedBytes = 5 * MAX_NAMES - 1;

const QUOTE = 0x22;
const COLON = 0x3a;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const OBJECT = 0x7b;

/**
 * Returns what makes JSON slow to parse; undefined if nothing does. Takes a few milliseconds for 1 MB, whether or not
 * the bytes are valid JSON.
 */
export function structureFault(json: Buffer): string | undefined {
  const names = new Set<string>();
  let containers = 0;
  /** Where the latest string begins and ends; the end is -1 once the string has been counted as a name. */
  let from = 0;
  let end = -1;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) {
      from = at + 1;
      end = endOfString(json, from);
      at = end;
    } else if (byte === COLON && end !== -1) {
      names.add(json.toString('latin1', from, end));
      end = -1;
      if (names.size > MAX_NAMES) return `must not have more than ${MAX_NAMES} different member names`;
    } else if (byte === LIST || byte === OBJECT) {
      containers += 1;
      if (containers > MAX_CONTAINERS) return `must not have more than ${MAX_CONTAINERS} objects and lists`;
    }
  }
  return undefined;
}

/** Returns the position of the quotation mark that ends a string, or the end of the JSON. */
function endOfString(json: Buffer, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, json.length);
}
