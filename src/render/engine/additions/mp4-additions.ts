import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { type ByteSource, withFile } from '../binary/byte-source.ts';
import { writeAll } from '../binary/overwrite.ts';
import { shiftBytes } from '../binary/shift-bytes.ts';
import { placeChapters } from '../chapters/chapter.ts';
import { chapterSamples } from '../mp4/additions/chapter-track.ts';
import { withLanguageTags } from '../mp4/additions/language-tags.ts';
import { movieWithAdditions } from '../mp4/additions/movie-additions.ts';
import { readBoxBody, readTopBoxes } from '../mp4/box-reader.ts';
import { box } from '../mp4/box-writer.ts';
import { maxUint32 } from '../mp4/movie-writer.ts';
import type { Additions } from '../tasks/additions.ts';
import type { AdditionWriter } from './addition-writer.ts';

/** More bytes than all tags of a file and the track and list of its chapters can take. */
const maxTagBytes = 4 * 1024 * 1024;

/**
 * Adds tags, a cover, chapters and language tags to the index, which the muxer leaves after the media, and then moves the
 * index to the front. The move is the same single pass over the file that the muxer would have made.
 */
export const mp4Additions: AdditionWriter = {
  muxerOptions: () => ({ movflags: '-faststart' }),
  write(path, additions, end) {
    const chapters = placeChapters(additions.chapters, 0, end);
    const { front, from, to } = withFile(path, (source) => planFront(source, { ...additions, chapters }, end));
    const file = openSync(path, 'r+');
    try {
      shiftBytes(file, from, to, front.length);
      writeAll(file, from, front);
      ftruncateSync(file, to + front.length);
    } finally {
      closeSync(file);
    }
    return chapters.length;
  },
};

/** Lays out the boxes that precede the media, and returns the media's current range in the file. */
function planFront(source: ByteSource, additions: Additions, end: number) {
  const boxes = readTopBoxes(source);
  const [type, movie] = [boxes[0], boxes.at(-1)];
  if (type?.type !== 'ftyp' || movie?.type !== 'moov') throw new Error('the muxer did not leave its index at the end');
  const writtenIndex = readBoxBody(source, movie, maxUint32);
  const { languageTags } = additions;
  const index = languageTags === undefined ? writtenIndex : withLanguageTags(writtenIndex, languageTags);
  const samples = chapterSamples(additions.chapters);
  const titles = samples.length === 0 ? Buffer.alloc(0) : box('mdat', ...samples);
  // 64-bit chunk offsets enlarge the index, and the larger index can itself push offsets beyond 32 bits.
  const addedBytes = titles.length + (additions.cover?.bytes.length ?? 0) + maxTagBytes;
  const large = source.size + 2 * index.length + addedBytes > maxUint32;
  const build = (mediaShift: number, samplesOffset: number) => {
    return box('moov', movieWithAdditions(index, { additions, end, samples, mediaShift, samplesOffset, large }));
  };
  const { length } = build(0, 0);
  const whole = build(length + titles.length, type.end + length + 8);
  return { front: Buffer.concat([whole, titles]), from: type.end, to: movie.offset };
}
