const utf8 = new TextDecoder('utf-8', { fatal: true });
const byteOrderMarks = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/**
 * Decodes the text of a subtitle file: UTF-8, UTF-16 with a byte order mark, or else Windows-1252, which old files use.
 * Lines end with a line feed, and no two empty lines follow each other.
 */
export function decodeText(bytes: Buffer): string {
  const text = decode(bytes).replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
  return withoutRepeatedEmptyLines(text);
}

/**
 * Leaves at most one empty line between others. An expression for millions of empty lines exhausts the stack in a process
 * with much code, because V8 then no longer optimises expressions (`TooMuchRegExpCode` in its source, seen 2026-11-29).
 */
function withoutRepeatedEmptyLines(text: string): string {
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const found = text.indexOf('\n\n\n', at);
    parts.push(text.slice(at, found < 0 ? undefined : found + 2));
    if (found < 0) return parts.join('');
    at = found + 3;
    while (text[at] === '\n') at += 1;
  }
}

function decode(bytes: Buffer): string {
  const mark = byteOrderMarks.find(({ bytes: [first, second] }) => bytes[0] === first && bytes[1] === second);
  if (mark !== undefined) return new TextDecoder(mark.encoding).decode(bytes);
  try {
    return utf8.decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
