import { playlistFault } from './playlist-fault.ts';

/** Maximum number of attributes, several times more than any tag of the standard has. */
const MAX_ATTRIBUTES = 100;

/** The attributes of a tag by name, without quotes. If a name is repeated, the first value counts. */
export type Attributes = ReadonlyMap<string, string>;

/** An attribute as it appears in the playlist. */
interface RawAttribute {
  /** Without quotes. */
  readonly value: string;
  readonly quoted: boolean;
}

/** Parses an attribute list like {@link parseRawAttributes}, but returns only the values. */
export function parseAttributes(list: string, line: number): Attributes {
  return new Map(
    parseRawAttributes(list, line)
      .entries()
      .map(([name, { value }]) => [name, value]),
  );
}

/**
 * Parses an attribute list (RFC 8216 §4.2): `NAME=value` pairs separated by commas, where a quoted value may contain
 * commas. Whitespace around names and values is ignored, because some packagers write it.
 *
 * @throws MillraceError `invalid_response_data` for a part without a name or `=`, for an unclosed quote, and for more
 * than 100 attributes.
 */
export function parseRawAttributes(list: string, line: number): ReadonlyMap<string, RawAttribute> {
  const attributes = new Map<string, RawAttribute>();
  let start = 0;
  while (start < list.length) {
    const equals = list.indexOf('=', start);
    if (equals < 0 && list.slice(start).trim() === '') break;
    const name = equals < 0 ? '' : list.slice(start, equals).trim();
    if (!/^[\w.-]+$/.test(name)) throw playlistFault(line, 'has an attribute without a name or value');
    const { end, ...attribute } = readValue(list, equals + 1, name, line);
    if (!attributes.has(name)) attributes.set(name, attribute);
    if (attributes.size > MAX_ATTRIBUTES) throw playlistFault(line, `has more than ${MAX_ATTRIBUTES} attributes`);
    start = end + 1;
  }
  return attributes;
}

function readValue(list: string, start: number, name: string, line: number): RawAttribute & { end: number } {
  let first = start;
  while (list[first] === ' ' || list[first] === '\t') first += 1;
  const quoted = list[first] === '"';
  const closing = quoted ? list.indexOf('"', first + 1) : first;
  if (closing < 0) throw playlistFault(line, `has no closing quote after ${name}`);
  const comma = list.indexOf(',', closing);
  const end = comma < 0 ? list.length : comma;
  if (!quoted) return { value: list.slice(first, end).trim(), quoted, end };
  if (list.slice(closing + 1, end).trim() !== '')
    throw playlistFault(line, `has text after the closing quote of ${name}`);
  return { value: list.slice(first + 1, closing), quoted, end };
}
