import { playlistFault } from './playlist-fault.ts';

/** A line of a playlist: a tag with its value, a URI, or one without a meaning. */
export type PlaylistLine =
  | { readonly kind: 'tag'; readonly number: number; readonly name: string; readonly value: string }
  | { readonly kind: 'uri'; readonly number: number; readonly uri: string }
  | { readonly kind: 'skipped'; readonly number: number };

/** Number of comments and blank lines of which one is yielded, so that its reader can pause. */
const linesPerPause = 256;

/**
 * Yields the tags and URIs of a playlist, in order, and some of its blank lines and comments. Ignores a byte order mark
 * and whitespace around lines; checks the header.
 *
 * @throws MillraceError `invalid_response_data` if `#EXTM3U` is not the first line or a line is longer than
 * `maxLineLength` characters.
 */
export function* playlistLines(text: string, maxLineLength: number): Generator<PlaylistLine> {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let number = 1; start <= text.length; number += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end - start > maxLineLength) throw playlistFault(number, `is longer than ${maxLineLength} characters`);
    const line = text.slice(start, end).trim();
    start = end + 1;
    if (number === 1) {
      if (!/^#EXTM3U(\s|$)/.test(line)) throw playlistFault(1, 'is not #EXTM3U');
    } else if (line.startsWith('#EXT')) {
      const colon = line.indexOf(':');
      const name = line.slice(1, colon < 0 ? undefined : colon).trimEnd();
      yield { kind: 'tag', number, name, value: colon < 0 ? '' : line.slice(colon + 1).trim() };
    } else if (line !== '' && !line.startsWith('#')) {
      yield { kind: 'uri', number, uri: line };
    } else if (number % linesPerPause === 0) {
      yield { kind: 'skipped', number };
    }
  }
}
