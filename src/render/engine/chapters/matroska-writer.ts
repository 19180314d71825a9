import { u64 } from '../binary/big-endian.ts';
import { addChapterEnds, type Chapter } from './chapter.ts';
import { chapterIds } from './matroska-reader.ts';

/** Returns the `Chapters` element (RFC 9559 §5.1.7). Its length does not depend on the times. */
export function chaptersElement(chapters: readonly Chapter[], end: number): Buffer {
  const atoms = addChapterEnds(separated(chapters), end).map(({ start, end: chapterEnd, title }, at) => {
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

/**
 * Delays chapters by a microsecond each so that all begin at different times. FFmpeg ignores a chapter that does not
 * begin after the one before it (`matroskadec.c`).
 */
function separated(chapters: readonly Chapter[]): Chapter[] {
  let last = Number.NEGATIVE_INFINITY;
  return chapters.map(({ start, title }) => {
    last = Math.max(Math.round(start * 1e6), last + 1);
    return { start: last / 1e6, title };
  });
}

function nanoseconds(seconds: number): Buffer {
  return u64(Math.round(seconds * 1e6) * 1000);
}

/** Returns an element with an eight-byte size field and the given contents. */
export function element(id: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const hex = id.toString(16);
  return Buffer.concat([Buffer.from(hex, 'hex'), sizeField(body.length), body]);
}

/** Returns a size field of eight bytes. The first byte encodes only the length of the field. */
export function sizeField(size: number): Buffer {
  const bytes = u64(size);
  bytes[0] = 1;
  return bytes;
}
