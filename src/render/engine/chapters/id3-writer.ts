import { latin1, u32 } from '../binary/big-endian.ts';
import { frame, utf8 } from '../tags/id3-tag.ts';
import { addChapterEnds, type Chapter } from './chapter.ts';

/**
 * Returns ID3v2.4 frames with the chapters. Adds their table of contents if its one-byte counter can hold the number of
 * chapters.
 */
export function chapterFrames(chapters: readonly Chapter[], end: number): Buffer {
  if (chapters.length === 0) return Buffer.alloc(0);
  const names = chapters.map((_, at) => latin1(`chp${at}\0`));
  const bodies = addChapterEnds(chapters, end).map(({ start, end: chapterEnd, title }, at) => {
    const times = u32(milliseconds(start), milliseconds(chapterEnd), 0xffff_ffff, 0xffff_ffff);
    return frame('CHAP', names[at] ?? latin1('\0'), times, frame('TIT2', utf8, Buffer.from(title)));
  });
  if (chapters.length > 255) return Buffer.concat(bodies);
  // Flags: a top-level table of contents with ordered chapters.
  const contents = frame('CTOC', latin1('toc\0'), Buffer.of(3, chapters.length), ...names);
  return Buffer.concat([contents, ...bodies]);
}

function milliseconds(seconds: number): number {
  return Math.min(0xffff_fffe, Math.round(seconds * 1000));
}
