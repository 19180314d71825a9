const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const encoder = new TextEncoder();

/** Yields the characters of a text as people count them: a letter with its marks, a flag, an emoji family. */
function* graphemes(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** Returns the first characters of a text, as people count them. */
export function firstGraphemes(text: string, count: number): string {
  return graphemes(text).take(count).toArray().join('');
}

/**
 * Truncates a text to a number of bytes in UTF-8, between two characters as people count them. Only a character that is
 * itself longer, such as a letter with hundreds of marks, is cut.
 */
export function truncateToBytes(text: string, maxBytes: number): string {
  return takeBytes(graphemes(text), maxBytes) || takeBytes(text, maxBytes);
}

function takeBytes(pieces: Iterable<string>, maxBytes: number): string {
  let bytes = 0;
  let start = '';
  for (const piece of pieces) {
    bytes += encoder.encode(piece).length;
    if (bytes > maxBytes) break;
    start += piece;
  }
  return start;
}
