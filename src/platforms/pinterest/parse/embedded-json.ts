import { parseSiteJson } from '../../reading.ts';

/** Maximum number of characters of one JSON value in a page. */
const MAX_LENGTH = 1_500_000;

const QUOTE = 34;
const BACKSLASH = 92;

/** A JSON object in a page. */
interface EmbeddedJson {
  /** The end of the mark in front of it. */
  readonly from: number;
  /** Where the search for the object started. */
  readonly start: number;
  /** Undefined if there is no object, or an invalid one. */
  readonly value: unknown;
}

/**
 * Returns the first JSON object behind each occurrence of a mark, in the same script. No character is part of two
 * objects: a page could otherwise have the same one read for each of its marks.
 *
 * @param startOf Returns where the search for an object starts, from the end of its mark.
 */
export function objectsBehind(
  html: string,
  mark: string,
  max: number,
  startOf = (from: number): number => from,
): EmbeddedJson[] {
  const objects: EmbeddedJson[] = [];
  for (let at = html.indexOf(mark); at >= 0 && objects.length < max; ) {
    const from = at + mark.length;
    const start = startOf(from);
    const { value, end } = readObject(html, start, endOfScript(html, start));
    objects.push({ from, start, value });
    at = html.indexOf(mark, end);
  }
  return objects;
}

function endOfScript(html: string, from: number): number {
  const end = html.indexOf('</script', from);
  return end < 0 ? html.length : end;
}

/** Parses the first object between two positions. Returns it with the position behind all characters that were read. */
function readObject(text: string, from: number, limit: number): { readonly value?: unknown; readonly end: number } {
  const start = text.indexOf('{', from);
  if (start < 0 || start >= limit) return { end: limit };
  const last = Math.min(limit, start + MAX_LENGTH);
  const end = objectEnd(text, start, last);
  return end < 0 ? { end: last } : { value: parseSiteJson(text.slice(start, end)), end };
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
