import type { ByteSource } from '../binary/byte-source.ts';
import { skipId3Tag } from '../binary/id3-tag.ts';
import type { Chapter } from './chapter.ts';
import { parseChapterComments } from './vorbis-comments.ts';

/** Maximum number of metadata blocks in a file. */
const maxBlocks = 256;
const COMMENTS = 4;

/** Reads the chapters of a FLAC file: Vorbis comments in a metadata block (RFC 9639 §8.6). */
export function readFlacChapters(source: ByteSource): Chapter[] {
  let offset = skipId3Tag(source);
  if (source.read(offset, 4).toString('latin1') !== 'fLaC') return [];
  offset += 4;
  for (let block = 0; block < maxBlocks; block += 1) {
    const header = source.read(offset, 4);
    if (header.length < 4) return [];
    const [kind, size] = [header.readUInt8(0), header.readUIntBE(1, 3)];
    if ((kind & 0x7f) === COMMENTS) return parseChapterComments(source.read(offset + 4, size));
    if (kind >= 0x80) return [];
    offset += 4 + size;
  }
  return [];
}
