import type { Chapter, ChapterWithEnd } from '../../chapters/chapter.ts';
import { box, fullBox, latin1, u16, u32, u64 } from '../box-writer.ts';
import { maxUint32 } from '../movie-writer.ts';
import { identityMatrix } from '../track-reader.ts';

/** A chapter track to write. */
interface ChapterTrack {
  readonly id: number;
  /** Ticks per second in the movie header. */
  readonly movieTimescale: number;
  readonly chapters: readonly ChapterWithEnd[];
  /** One sample for each chapter, from {@link chapterSamples}. */
  readonly samples: readonly Buffer[];
  /** Offset in the file at which the contiguous samples begin. */
  readonly position: number;
}

/** Maximum size of a title in a sample, in bytes. All subtitle readers support at least this size. */
const maxTitleBytes = 2000;

/** Marks a sample's text as UTF-8 (QuickTime File Format, "Text Media"). */
const utf8 = box('encd', u32(0x100));

/** Returns the titles as samples of a text track. */
export function chapterSamples(chapters: readonly Chapter[]): Buffer[] {
  return chapters.map(({ title }) => {
    const name = truncateUtf8(title, maxTitleBytes);
    return Buffer.concat([u16(name.length), name, utf8]);
  });
}

/** Truncates a text to the given number of bytes in UTF-8, without splitting a character. */
export function truncateUtf8(title: string, bytes: number): Buffer {
  const whole = Buffer.from(title);
  let end = Math.min(bytes, whole.length);
  while (end > 0 && end < whole.length && ((whole[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return whole.subarray(0, end);
}

/**
 * Returns the `trak` box of a chapter text track. The track is disabled so that players do not display it as subtitles.
 * It begins with an empty edit if the first chapter does not begin at zero.
 */
export function chapterTrack({ id, movieTimescale, chapters, samples, position }: ChapterTrack): Buffer {
  const ticks = chapters.map(({ start, end }) => Math.round(end * 1000) - Math.round(start * 1000));
  const totalTicks = ticks.reduce((sum, each) => sum + each, 0);
  const delay = Math.round((chapters[0]?.start ?? 0) * movieTimescale);
  const length = Math.round((totalTicks / 1000) * movieTimescale);
  // Fine clocks need 64 bits for some hours.
  const wide = delay + length > maxUint32;
  const head = wide ? [u64(0, 0), u32(id, 0), u64(delay + length)] : [u32(0, 0, id, 0, delay + length)];
  const edits = [...(delay === 0 ? [] : [edit(delay, true, wide)]), edit(length, false, wide)];
  return box(
    'trak',
    fullBox('tkhd', wide ? 1 : 0, 0, ...head, u32(0, 0, 0, 0), identityMatrix, u32(0, 0)),
    box('edts', fullBox('elst', wide ? 1 : 0, 0, u32(edits.length), ...edits)),
    box(
      'mdia',
      // Timescale in milliseconds, no language.
      fullBox('mdhd', 0, 0, u32(0, 0, 1000, totalTicks), u16(0x55c4, 0)),
      fullBox('hdlr', 0, 0, u32(0), latin1('text'), u32(0, 0, 0), latin1('Chapters\0')),
      box(
        'minf',
        box('gmhd', fullBox('gmin', 0, 0, u16(0x40, 0x8000, 0x8000, 0x8000, 0, 0)), box('text', identityMatrix)),
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        box(
          'stbl',
          // A QuickTime text description with default settings and no font name.
          fullBox('stsd', 0, 0, u32(1), box('text', u16(0, 0, 0, 1), Buffer.alloc(44))),
          fullBox('stts', 0, 0, u32(ticks.length), ...ticks.map((each) => u32(1, each))),
          fullBox('stsc', 0, 0, u32(1, 1, samples.length, 1)),
          fullBox('stsz', 0, 0, u32(0, samples.length), u32(...samples.map((sample) => sample.length))),
          fullBox('co64', 0, 0, u32(1), u64(position)),
        ),
      ),
    ),
  );
}

/** Returns an entry of an edit list. An empty one delays the media; another one plays it from its beginning. */
function edit(length: number, isEmpty: boolean, wide: boolean): Buffer {
  const mediaTime = Buffer.alloc(wide ? 8 : 4, isEmpty ? 0xff : 0);
  return Buffer.concat([wide ? u64(length) : u32(length), mediaTime, u32(0x1_0000)]);
}
