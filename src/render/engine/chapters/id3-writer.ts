import { withFile } from '../binary/byte-source.ts';
import { overwrite } from '../binary/overwrite.ts';
import { latin1, u16, u32 } from '../mp4/box-writer.ts';
import { addChapterEnds, type Chapter } from './chapter.ts';
import { type ChapterWriter, headerPadding } from './chapter-writer.ts';
import { headerBytes, readFrames, readSynchsafe } from './id3-reader.ts';

/** Unused bytes left at the end of a tag. The muxer leaves the same number for players that need padding. */
const spareBytes = 10;

/** Writes chapters into the tag's padding, which the muxer reserves. */
export const id3ChapterWriter: ChapterWriter = {
  muxerOptions: (chapters) => headerPadding(chapterFrames(chapters, 0).length + spareBytes),
  write(path, chapters, end) {
    const bytes = chapterFrames(chapters, end);
    const offset = withFile(path, (source) => {
      const tag = source.read(headerBytes, readSynchsafe(source.read(6, 4)));
      const usedBytes = [...readFrames(tag, 4)].at(-1)?.end ?? 0;
      if (tag.length - usedBytes < bytes.length) throw new Error('the muxer left no room for chapters');
      return headerBytes + usedBytes;
    });
    overwrite(path, offset, bytes);
  },
};

/**
 * Returns ID3v2.4 frames with the chapters. Adds their table of contents if its one-byte counter can hold the number of
 * chapters.
 */
export function chapterFrames(chapters: readonly Chapter[], end: number): Buffer {
  const names = chapters.map((_, at) => latin1(`chp${at}\0`));
  const bodies = addChapterEnds(chapters, end).map(({ start, end: chapterEnd, title }, at) => {
    const times = u32(milliseconds(start), milliseconds(chapterEnd), 0xffff_ffff, 0xffff_ffff);
    return frame('CHAP', names[at] ?? latin1('\0'), times, frame('TIT2', Buffer.of(3), Buffer.from(title)));
  });
  if (chapters.length > 255) return Buffer.concat(bodies);
  // Flags: a top-level table of contents with ordered chapters.
  const contents = frame('CTOC', latin1('toc\0'), Buffer.of(3, chapters.length), ...names);
  return Buffer.concat([contents, ...bodies]);
}

function milliseconds(seconds: number): number {
  return Math.min(0xffff_fffe, Math.round(seconds * 1000));
}

function frame(id: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = Buffer.from([21, 14, 7, 0].map((bits) => (body.length >> bits) & 0x7f));
  return Buffer.concat([latin1(id), size, u16(0), body]);
}
