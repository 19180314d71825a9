/** Chapters of `chapters.mp3`: the first half second, and the remainder. */
const chapters = [
  { start: 0, end: 500, title: 'Opening' },
  { start: 500, end: 2000, title: 'The rest – 続き' },
];

/**
 * Returns an ID3v2.4 tag with chapters (https://id3.org/id3v2-chapters-1.0), like the tags in front of the audio of
 * podcasts.
 */
export function chapterTag(): Buffer {
  const frames = Buffer.concat(
    chapters.map(({ start, end, title }, at) => {
      const times = Buffer.alloc(16, 0xff);
      times.writeUInt32BE(start, 0);
      times.writeUInt32BE(end, 4);
      return frame('CHAP', Buffer.from(`c${at}\0`), times, frame('TIT2', Buffer.of(3), Buffer.from(title)));
    }),
  );
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), sizeOf(frames), frames]);
}

function frame(id: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(id), sizeOf(body), Buffer.alloc(2), body]);
}

/** Encodes the length in four bytes, with seven bits in each. */
function sizeOf({ length }: Buffer): Buffer {
  return Buffer.from([21, 14, 7, 0].map((bits) => (length >> bits) & 0x7f));
}
