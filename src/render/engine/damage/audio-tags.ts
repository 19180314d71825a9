import type { ByteSource } from '../binary/byte-source.ts';
import { skipId3Tag } from '../binary/id3-tag.ts';

/** Size of an ID3v1 tag, and of the header and of the footer of an APE tag, in bytes. */
const id3v1Bytes = 128;
const apeHeaderBytes = 32;
/** Maximum size of a Lyrics3 tag, which only its end states, in bytes (Lyrics3 v2.00). */
const maxLyricsBytes = 1_100_000;

/** Returns the size of the tag at an offset of an audio file without a container, in bytes; 0 without a tag. */
export function sizeOfTag(source: ByteSource, offset: number): number {
  const head = source.read(offset, apeHeaderBytes).toString('latin1');
  if (head.startsWith('ID3')) return skipId3Tag(from(source, offset));
  if (head.startsWith('TAG')) return id3v1Bytes;
  if (head.startsWith('LYRICSBEGIN')) {
    const end = source.read(offset, maxLyricsBytes).indexOf('LYRICS200');
    return end < 0 ? 0 : end + 'LYRICS200'.length;
  }
  // The size includes the footer, and not the header (APEv2).
  return head.startsWith('APETAGEX') ? apeHeaderBytes + source.read(offset + 12, 4).readUInt32LE(0) : 0;
}

/** Returns the bytes of a file from an offset. */
function from({ size, read }: ByteSource, start: number): ByteSource {
  return { size: size - start, read: (offset, length) => read(start + offset, length) };
}
