import { parseJson } from '../../../parsing/values.ts';

/** Maximum number of characters of one JSON value in a page. */
const MAX_LENGTH = 1_500_000;

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Parses the JSON object that starts at the first brace at or after `from` and ends before `limit`. Returns undefined
 * if there is no such object.
 */
export function jsonObjectAt(text: string, from: number, limit = text.length): unknown {
  const start = text.indexOf('{', from);
  if (start < 0 || start >= limit) return undefined;
  const end = objectEnd(text, start, Math.min(limit, start + MAX_LENGTH));
  return end < 0 ? undefined : parseJson(text.slice(start, end));
}

/** Returns the end of the object whose brace is at `start`. Braces inside strings do not count. */
function objectEnd(text: string, start: number, limit: number): number {
  let depth = 0;
  for (let at = start; at < limit; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = stringEnd(text, at, limit);
        break;
      case 123: // {
        depth += 1;
        break;
      case 125: // }
        depth -= 1;
        if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function stringEnd(text: string, start: number, limit: number): number {
  for (let at = start + 1; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return limit;
}
