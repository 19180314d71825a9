import { latin1 } from '../../binary/big-endian.ts';
import { placeChapters } from '../../chapters/chapter.ts';
import type { Additions } from '../../tasks/additions.ts';
import { digestAdditions } from '../../tasks/digest-additions.ts';
import type { ProcessReport } from '../../tasks/report.ts';
import { box, fullBox, u32 } from '../box-writer.ts';
import { maxSeconds } from '../track-timing.ts';
import { chapterSamples } from './chapter-track.ts';
import { movieWithAdditions } from './movie-additions.ts';

/** Size of the header of a box in bytes. */
const boxHeaderBytes = 8;

/** Additions to the index of a result whose duration is known. */
export interface IndexAdditions {
  /** Box with the titles of the chapters, which is stored directly after the index. Empty without chapters. */
  readonly titles: Buffer;
  /**
   * Returns an index (`moov` box) with the additions. The added length depends only on the additions and the number of
   * tracks.
   *
   * @param offset - offset of the index in the file.
   */
  addTo(index: Buffer, offset: number): Buffer;
  /** What the report of the result states about the additions. */
  readonly reported: Pick<ProcessReport, 'chapters' | 'tags' | 'cover'>;
}

/**
 * Prepares additions to an index.
 *
 * @param end - duration of the result in seconds.
 */
export function additionsInIndex(additions: Additions, end: number): IndexAdditions {
  const chapters = placeChapters(additions.chapters, 0, end);
  const placed = { ...additions, chapters };
  const samples = chapterSamples(chapters);
  const isEmpty = chapters.length === 0 && additions.cover === undefined && Object.keys(additions.tags).length === 0;
  const build = (index: Buffer, samplesOffset: number) => {
    const layout = { additions: placed, end, samples, mediaShift: 0, samplesOffset, large: false };
    return box('moov', movieWithAdditions(index.subarray(boxHeaderBytes), layout));
  };
  return {
    titles: chapters.length === 0 ? Buffer.alloc(0) : box('mdat', ...samples),
    addTo(index, offset) {
      if (isEmpty) return index;
      const { length } = build(index, 0);
      return build(index, offset + length + boxHeaderBytes);
    },
    reported: digestAdditions(additions, chapters.length),
  };
}

/**
 * Returns the maximum number of bytes that additions take in a file, index and titles together.
 *
 * @param trackCount - maximum number of tracks of the result.
 */
export function maxAdditionBytes(additions: Additions, trackCount: number): number {
  // With this clock and duration, the chapter track has its longest form.
  const handler = fullBox('hdlr', 0, 0, u32(0), latin1('vide'));
  const track = box('trak', fullBox('tkhd', 0, 0, u32(0, 0, 1)), box('mdia', handler));
  const tracks = Array.from({ length: trackCount }, () => track);
  const index = box('moov', fullBox('mvhd', 0, 0, u32(0, 0, 90_000, 0, 2)), ...tracks);
  const { titles, addTo } = additionsInIndex(additions, maxSeconds);
  return addTo(index, 0).length - index.length + titles.length;
}
