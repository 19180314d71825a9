/** What sources often send in place of media, by how it begins. */
const notMedia = [
  { begins: '<!doctype html', what: 'a web page' },
  { begins: '<html', what: 'a web page' },
  { begins: '<?xml', what: 'an XML document' },
  { begins: '<mpd', what: 'a DASH manifest' },
  { begins: '#extm3u', what: 'an HLS playlist' },
  { begins: 'ffconcat', what: 'a playlist' },
  { begins: '{', what: 'a JSON document' },
] as const;

/** Bytes of a beginning that are looked at. */
export const headBytes = 512;

/** What bytes plainly are if they are not media, given how they begin: `a web page`. */
export function notMediaKind(head: Buffer): (typeof notMedia)[number]['what'] | undefined {
  const text = head.toString('latin1', 0, headBytes).trimStart().toLowerCase();
  return notMedia.find(({ begins }) => text.startsWith(begins))?.what;
}

/** Whether bytes begin as text. No media does, except text subtitles. */
export function isText(head: Buffer): boolean {
  const begin = head.subarray(0, headBytes);
  if (begin.some(isControl) || begin.every((byte) => isSpace(byte))) return false;
  try {
    // The last character may be cut.
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
