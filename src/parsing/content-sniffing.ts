/** Content that sources often send in place of media, by its first characters. */
const nonMediaPrefixes = [
  { prefix: '<!doctype html', what: 'a web page' },
  { prefix: '<html', what: 'a web page' },
  { prefix: '<?xml', what: 'an XML document' },
  { prefix: '<mpd', what: 'a DASH manifest' },
  { prefix: '#extm3u', what: 'an HLS playlist' },
  { prefix: 'ffconcat', what: 'a playlist' },
  { prefix: '{', what: 'a JSON document' },
] as const;

/** Number of leading bytes that are examined. */
export const sniffLength = 512;

/** Returns the content type of leading bytes that are clearly not media, such as `a web page`. A byte order mark is ignored. */
export function nonMediaKind(head: Buffer): (typeof nonMediaPrefixes)[number]['what'] | undefined {
  const text = head.toString('utf8', 0, sniffLength).trimStart().toLowerCase();
  return nonMediaPrefixes.find(({ prefix }) => text.startsWith(prefix))?.what;
}

/** Whether the leading bytes are text. No media starts with text, except text subtitles. */
export function isText(head: Buffer): boolean {
  const begin = head.subarray(0, sniffLength);
  if (begin.some(isControl) || begin.every((byte) => isSpace(byte))) return false;
  try {
    // The last character may be incomplete.
    new TextDecoder('utf-8', { fatal: true }).decode(begin, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function isControl(byte: number): boolean {
  return (byte < 0x20 && !isSpace(byte)) || byte === 0x7f;
}
