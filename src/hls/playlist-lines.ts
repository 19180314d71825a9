import { playlistFault } from './playlist-fault.ts';

/** A line of a playlist: a tag with its value, a URI, or one without a meaning. */
export type PlaylistLine =
  | { readonly kind: 'tag'; readonly number: number; readonly name: string; readonly value: string }
  | { readonly kind: 'uri'; readonly number: number; readonly uri: string }
  | { readonly kind: 'skipped'; readonly number: number };

/** Bytes that are decoded at once, and the rest of their last line. */
const blockBytes = 64 * 1024;
const lineFeed = 10;

/** Number of comments and blank lines of which one is yielded, so that its reader can pause. */
const linesPerPause = 256;

/**
 * Yields the tags and URIs of a playlist, in order, and some of its blank lines and comments. Ignores a byte order mark
 * and whitespace around lines; checks the header.
 *
 * @param text The playlist; bytes in UTF-8 are decoded in blocks, so that the text is never in memory as a whole.
 * @throws MillraceError `invalid_response_data` if `#EXTM3U` is not the first line or a line is longer than
 * `maxLineLength` characters.
 */
export function* playlistLines(text: string | Buffer, maxLineLength: number): Generator<PlaylistLine> {
  let number = 0;
  for (const block of typeof text === 'string' ? [text] : blocksOf(text)) {
    for (let start = 0; start < block.length; ) {
      number += 1;
      const newline = block.indexOf('\n', start);
      const end = newline < 0 ? block.length : newline;
      if (end - start > maxLineLength) throw playlistFault(number, `is longer than ${maxLineLength} characters`);
      // A byte order mark counts as whitespace.
      const line = block.slice(start, end).trim();
      start = end + 1;
      if (number === 1) checkHeader(line);
      else if (line.startsWith('#EXT')) yield tagOf(line, number);
      else if (line !== '' && !line.startsWith('#')) yield { kind: 'uri', number, uri: line };
      else if (number % linesPerPause === 0) yield { kind: 'skipped', number };
    }
  }
  if (number === 0) checkHeader('');
}

/** Yields a text in blocks of whole lines. */
function* blocksOf(body: Buffer): Generator<string> {
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf(lineFeed, start + blockBytes);
    const end = newline < 0 ? body.length : newline + 1;
    yield body.toString('utf8', start, end);
    start = end;
  }
}

function checkHeader(line: string): void {
  if (!/^#EXTM3U(\s|$)/.test(line)) throw playlistFault(1, 'is not #EXTM3U');
}

function tagOf(line: string, number: number): PlaylistLine {
  const colon = line.indexOf(':');
  const name = line.slice(1, colon < 0 ? undefined : colon).trimEnd();
  return { kind: 'tag', number, name, value: colon < 0 ? '' : line.slice(colon + 1).trim() };
}
