import { withFile } from '../binary/byte-source.ts';
import { ebmlIds, segmentElements } from '../binary/ebml.ts';
import { overwrite } from '../binary/overwrite.ts';
import { u64 } from '../mp4/box-writer.ts';
import { addChapterEnds, type Chapter } from './chapter.ts';
import { type ChapterWriter, headerPadding } from './chapter-writer.ts';
import { chapterIds } from './matroska-reader.ts';

/** Size of the header of a void element with an eight-byte size field, in bytes. */
const voidHead = 9;

/** Writes the chapters in place of the void element that the muxer leaves before the media. */
export const matroskaChapterWriter: ChapterWriter = {
  muxerOptions: (chapters) => headerPadding(chaptersElement(chapters, 0).length + voidHead),
  write(path, chapters, end) {
    const bytes = chaptersElement(chapters, end);
    const room = withFile(path, (source) => {
      for (const { id, offset, dataOffset, size = 0 } of segmentElements(source)) {
        const whole = dataOffset + size - offset;
        if (id === ebmlIds.void && whole >= bytes.length + voidHead) return { offset, whole };
      }
      throw new Error('the muxer left no room for chapters');
    });
    overwrite(path, room.offset, Buffer.concat([bytes, voidElement(room.whole - bytes.length)]));
  },
};

/** Returns the `Chapters` element (RFC 9559 §5.1.7). Its length does not depend on the times. */
export function chaptersElement(chapters: readonly Chapter[], end: number): Buffer {
  const atoms = addChapterEnds(chapters, end).map(({ start, end: chapterEnd, title }, at) => {
    return element(
      chapterIds.atom,
      element(chapterIds.uid, u64(at + 1)),
      element(chapterIds.start, nanoseconds(start)),
      element(chapterIds.end, nanoseconds(chapterEnd)),
      element(
        chapterIds.display,
        element(chapterIds.text, Buffer.from(title)),
        element(chapterIds.language, Buffer.from('und')),
      ),
    );
  });
  const edition = element(
    chapterIds.edition,
    element(chapterIds.editionUid, u64(1)),
    element(chapterIds.editionDefault, Buffer.of(1)),
    ...atoms,
  );
  return element(chapterIds.chapters, edition);
}

function nanoseconds(seconds: number): Buffer {
  return u64(Math.round(seconds * 1e6) * 1000);
}

/** Returns a void element of the given total size. */
function voidElement(bytes: number): Buffer {
  const head = Buffer.concat([Buffer.of(ebmlIds.void), sizeField(bytes - voidHead)]);
  return Buffer.concat([head, Buffer.alloc(bytes - head.length)]);
}

/** Returns an element with an eight-byte size field and the given contents. */
export function element(id: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const hex = id.toString(16);
  return Buffer.concat([Buffer.from(hex, 'hex'), sizeField(body.length), body]);
}

/** Returns a size field of eight bytes; the first byte encodes only the length of the field. */
function sizeField(size: number): Buffer {
  const bytes = u64(size);
  bytes[0] = 1;
  return bytes;
}
