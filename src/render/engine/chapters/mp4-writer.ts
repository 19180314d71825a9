import { closeSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { type ByteSource, withFile } from '../binary/byte-source.ts';
import { writeAll } from '../binary/overwrite.ts';
import { readBoxBody, readTopBoxes } from '../mp4/box-reader.ts';
import { box } from '../mp4/box-writer.ts';
import { maxUint32 } from '../mp4/movie-writer.ts';
import type { Chapter } from './chapter.ts';
import type { ChapterWriter } from './chapter-writer.ts';
import { chapterSamples } from './mp4-chapter-track.ts';
import { movieWithChapters } from './mp4-movie.ts';

/** Number of bytes moved in one step. */
const blockBytes = 4 * 1024 * 1024;

/**
 * Adds chapters to the index, which the muxer leaves after the media, and then moves the index to the front. The move
 * is the same single pass over the file that the muxer would have made.
 */
export const mp4ChapterWriter: ChapterWriter = {
  muxerOptions: () => ({ movflags: '-faststart' }),
  write(path, chapters, end) {
    const { front, from, to } = withFile(path, (source) => planFront(source, chapters, end));
    const file = openSync(path, 'r+');
    try {
      shiftBytes(file, from, to, front.length);
      writeAll(file, from, front);
      ftruncateSync(file, to + front.length);
    } finally {
      closeSync(file);
    }
  },
};

/** Lays out the boxes that precede the media, and returns the media's current range in the file. */
function planFront(source: ByteSource, chapters: readonly Chapter[], end: number) {
  const boxes = readTopBoxes(source);
  const [type, movie] = [boxes[0], boxes.at(-1)];
  if (type?.type !== 'ftyp' || movie?.type !== 'moov') throw new Error('the muxer did not leave its index at the end');
  const index = readBoxBody(source, movie, maxUint32);
  const samples = chapterSamples(chapters);
  const texts = box('mdat', ...samples);
  // 64-bit chunk offsets enlarge the index, and the larger index can itself push offsets beyond 32 bits.
  const large = source.size + 2 * index.length + texts.length > maxUint32;
  const build = (mediaShift: number, samplesOffset: number) => {
    return box('moov', movieWithChapters(index, { chapters, end, samples, mediaShift, samplesOffset, large }));
  };
  const { length } = build(0, 0);
  const whole = build(length + texts.length, type.end + length + 8);
  return { front: Buffer.concat([whole, texts]), from: type.end, to: movie.offset };
}

/** Moves a range of a file towards its end. Copies the last bytes first so that none are overwritten. */
function shiftBytes(file: number, from: number, to: number, distance: number): void {
  const block = Buffer.allocUnsafe(blockBytes);
  for (let end = to; end > from; ) {
    const start = Math.max(from, end - blockBytes);
    const bytes = block.subarray(0, end - start);
    for (let bytesFilled = 0; bytesFilled < bytes.length; ) {
      const bytesRead = readSync(file, bytes, bytesFilled, bytes.length - bytesFilled, start + bytesFilled);
      if (bytesRead === 0) throw new Error('the result was truncated while it was written');
      bytesFilled += bytesRead;
    }
    writeAll(file, start + distance, bytes);
    end = start;
  }
}
