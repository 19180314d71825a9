/**
 * Characters that are not text: controls, line and paragraph separators, byte order marks, and characters that change
 * the direction of whatever follows them in a list or a terminal. Marks of one character (U+200E, U+200F, U+061C) and
 * joiners, which emoji and several scripts need, are text.
 */
const nonText = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]/gu;

/** Makes a text safe for players and terminals: one line without control characters, of at most `limit` characters. */
export function cleanLine(text: string, limit: number): string {
  return truncate(
    text.toWellFormed().replaceAll(/\s/g, ' ').replaceAll(nonText, ' ').split(' ').filter(Boolean).join(' '),
    limit,
  );
}

/** As {@link cleanLine}, but keeps line breaks, as `\n`, and spaces. */
export function cleanLines(text: string, limit: number): string {
  const lines = text
    .toWellFormed()
    .replaceAll(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .split('\n');
  return truncate(
    lines
      .map((line) => line.replaceAll(nonText, '').trimEnd())
      .join('\n')
      .trim(),
    limit,
  );
}

/** Truncates a text without splitting a surrogate pair. */
function truncate(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, text.slice(0, limit).isWellFormed() ? limit : limit - 1).trimEnd();
}
