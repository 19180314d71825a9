import type { Clip } from '../../../contract/clip.ts';
import { inBlocks, type Steps } from '../../../waiting/steps.ts';
import { mediaDataHeader } from '../../engine/mp4/movie-writer.ts';
import { SampleList } from '../../engine/mp4/sample-list.ts';
import { chunkOffsetBox, sampleTableBoxSteps } from '../../engine/mp4/sample-table-writer.ts';
import { type ByteRange, totalBytes } from '../byte-ranges.ts';
import { requireKeySample } from './key-sample.ts';
import { declineExcerpt, type Excerpt, endMargin, type FirstFrame, type MediaIndex } from './media-index.ts';
import { changedMovieBox, type MovieBoxes, type TrackChange } from './movie-boxes.ts';
import { createCoveringRanges } from './nearby-ranges.ts';
import { lastSyncStart, readTimedTrack, selectSamples, type TimedTrack, withSamples } from './track-samples.ts';

/**
 * Maximum number of samples of all tracks: ten hours at 60 frames per second with two audio tracks, and of those that an
 * excerpt keeps.
 */
const maxSamples = 6_000_000;
const maxKeptSamples = 1_000_000;
/** Maximum number of samples that stay in memory. Those of other tracks are read again when they are needed. */
const maxSamplesInMemory = 1_000_000;
/** Seconds of audio that are kept before its start, so that decoders produce correct audio from there (RFC 7845 §4.6). */
const preRollSeconds = 0.08;
/** Maximum duration in ticks of the movie header, which stores 32 bits. */
const maxTicks = 2 ** 31;
/** Maximum size of media whose chunks are certain to be below 4 GiB. */
const maxShortMediaBytes = 2 ** 31;
/** Number of ranges that are joined in one step. */
const rangesPerStep = 16_384;

/**
 * Returns the index of an MP4 or QuickTime file whose `moov` box lists all samples.
 *
 * @param fileType - its whole `ftyp` box; empty without one.
 * @param size - size of the file in bytes.
 * @throws FastPathDeclined for a malformed file; ExcerptDeclined for one without video and audio.
 */
export function* movieIndex(movie: MovieBoxes, fileType: Buffer, size: number): Steps<MediaIndex> {
  const tracks: TimedTrack[] = [];
  let [total, inMemory] = [0, 0];
  for (const track of movie.tracks) {
    const timed = yield* readTimedTrack(track, maxSamples - total, size, maxSamplesInMemory - inMemory);
    total += timed.count;
    inMemory += timed.samples?.count ?? 0;
    tracks.push(timed);
  }
  const played = tracks.filter(({ track, count }) => track.kind !== 'other' && count > 0);
  if (played.length === 0) declineExcerpt('its index lists no video and no audio');
  const start = Math.min(...played.map((timed) => timed.start));
  const end = Math.max(...played.map((timed) => timed.end));
  return {
    start,
    duration: end - start,
    hasVideo: played.some(({ track }) => track.kind === 'video'),
    planExcerpt: (clip) => planMovieExcerpt({ movie, tracks, played, fileType }, absoluteClip(clip, start, end)),
    release() {
      for (const { samples } of tracks) samples?.release();
    },
  };
}

/** Returns a clip on the clock of the file, which begins before the end of the file. */
function absoluteClip({ start, end }: Clip, first: number, last: number): Required<Clip> {
  const begin = Math.max(first, Math.min(first + start, last - endMargin));
  return { start: begin, end: end === undefined ? last : Math.max(first + end, begin) };
}

interface IndexedMovie {
  readonly movie: MovieBoxes;
  readonly tracks: readonly TimedTrack[];
  /** The tracks with video or audio. */
  readonly played: readonly TimedTrack[];
  readonly fileType: Buffer;
}

function* planMovieExcerpt({ movie, tracks, played, fileType }: IndexedMovie, clip: Required<Clip>): Steps<Excerpt> {
  const running = played.filter(({ start }) => start <= clip.start);
  const videos = running.filter(({ track }) => track.kind === 'video');
  let begin = clip.start;
  for (const timed of videos.length > 0 ? videos : running) {
    begin = Math.min(begin, yield* withSamples(timed, (samples) => lastSyncStart(timed, samples, clip.start)));
  }
  const slices: TrackSlice[] = [];
  let room = maxKeptSamples;
  for (const timed of tracks) {
    const slice = yield* sliceTrack(timed, begin, clip.end + endMargin, room);
    room -= slice.samples.count;
    slices.push(slice);
  }
  const ranges = yield* rangesOf(slices);
  const mediaBytes = totalBytes(ranges);
  const mediaHeader = mediaDataHeader(mediaBytes);
  const moov = yield* movieBoxOf(movie, slices, ranges, fileType.length + mediaHeader.length);
  const starts = slices.flatMap(({ start, isPlayed }) => (isPlayed ? [start] : []));
  const head = Buffer.concat([fileType, ...moov, mediaHeader]);
  const firstFrames = firstFramesOf(slices, ranges, head.length);
  for (const { samples } of slices) samples.release();
  return {
    parts: [head, ...ranges],
    start: starts.length === 0 ? begin : Math.min(...starts),
    end: clip.end + endMargin,
    firstFrames,
  };
}

/** Returns the samples with which the videos of an excerpt begin, after a head of the given length. */
function firstFramesOf(slices: readonly TrackSlice[], ranges: readonly ByteRange[], headBytes: number): FirstFrame[] {
  const place = placeOf(ranges);
  return slices.flatMap(({ timed: { track }, samples }) => {
    const [offset, size = 0] = [samples.offsets[0], samples.sizes[0]];
    if (track.kind !== 'video' || samples.count === 0 || offset === undefined || size === 0) return [];
    return [{ position: headBytes + place(offset), size, check: (bytes) => requireKeySample(track, bytes) }];
  });
}

/** The samples of a track that an excerpt keeps. */
interface TrackSlice {
  readonly timed: TimedTrack;
  readonly samples: SampleList;
  /** When it begins on the clock of the file, and how long it plays, in seconds. */
  readonly start: number;
  readonly length: number;
  /** Start in the media of the slice, in ticks. */
  readonly mediaTime: number;
  /** Ticks added between decoding and presentation, so that no sample is presented before it is decoded. */
  readonly lead: number;
  /** Whether it is video or audio with samples. */
  readonly isPlayed: boolean;
}

/** Keeps the samples of a track between two times, and those that are needed to decode them; at most `limit`. */
function* sliceTrack(timed: TimedTrack, begin: number, end: number, limit: number): Steps<TrackSlice> {
  const { track, zero } = timed;
  const kept = yield* withSamples(timed, function* (samples) {
    const slice = yield* selectSamples(timed, samples, track.kind === 'audio' ? begin - preRollSeconds : begin, end);
    if (slice.end - slice.first > limit) declineExcerpt('the clip has too many samples');
    return samples.slice(slice.first, slice.end);
  });
  const from = kept.start;
  yield undefined;
  const extent = kept.extent();
  const firstStart = (from + extent.first - zero) / track.timescale;
  const start = Math.max(begin, timed.start, firstStart);
  const length = Math.min((from + extent.end - zero) / track.timescale, timed.end) - start;
  if (!(length > 0)) return emptySlice(timed);
  const isPlayed = track.kind !== 'other';
  if (!isPlayed && firstStart < start) shortenFirst(kept, Math.round((start - firstStart) * track.timescale));
  const lead = Math.max(0, -kept.compositions.reduce((one, other) => Math.min(one, other), 0));
  const mediaStart = isPlayed ? Math.round(start * track.timescale + zero) - from : extent.first;
  return { timed, samples: kept, start, length, mediaTime: Math.max(0, mediaStart + lead), lead, isPlayed };
}

function emptySlice(timed: TimedTrack): TrackSlice {
  return { timed, samples: new SampleList(0), start: 0, length: 0, mediaTime: 0, lead: 0, isPlayed: false };
}

/** Shortens the first sample, such as a subtitle that is displayed when the excerpt begins. */
function shortenFirst(samples: SampleList, ticks: number): void {
  const duration = samples.durations[0] ?? 0;
  const cut = Math.min(ticks, Math.max(0, duration - 1));
  samples.durations[0] = duration - cut;
  samples.ticks -= cut;
}

/** Returns the byte ranges of the samples. */
function* rangesOf(slices: readonly TrackSlice[]): Steps<ByteRange[]> {
  const covering = createCoveringRanges();
  for (const { offsets, sizes, count } of slices.map(({ samples }) => samples)) {
    yield* inBlocks(
      count,
      (first, last) => {
        for (let at = first; at < last; at += 1) {
          const [from, bytes] = [offsets[at] ?? 0, sizes[at] ?? 0];
          if (bytes > 0) covering.add(from, from + bytes);
        }
      },
      rangesPerStep,
    );
  }
  return covering.ranges();
}

/** Returns a function that returns where a byte of the source is in the media of the excerpt. */
function placeOf(ranges: readonly ByteRange[]): (position: number) => number {
  let destination = 0;
  const shifts = ranges.map(({ from, end }) => {
    const shift = destination - from;
    destination += end - from;
    return { from, end, shift };
  });
  return (position) => {
    const range = shifts.find(({ from, end }) => position >= from && position <= end);
    return range === undefined ? declineExcerpt('one of its samples is empty') : position + range.shift;
  };
}

/**
 * Builds the index of an excerpt.
 *
 * @param bytesAround - number of bytes before the media that are not in the index.
 */
function* movieBoxOf(
  movie: MovieBoxes,
  slices: readonly TrackSlice[],
  ranges: readonly ByteRange[],
  bytesAround: number,
): Steps<Buffer[]> {
  const end = Math.max(...slices.map(({ start, length }) => start + length));
  const finest = Math.max(movie.timescale, ...slices.map(({ timed }) => timed.track.timescale));
  // The finest clock of the tracks, so that delays are exact. Players store durations in 32 bits.
  const scale = end * finest < maxTicks ? finest : movie.timescale;
  const place = placeOf(ranges);
  const longOffsets = totalBytes(ranges) > maxShortMediaBytes;
  const tables: SlicedTable[] = [];
  for (const { timed, samples, lead } of slices) {
    const description =
      timed.track.table.find(({ type }) => type === 'stsd')?.bytes ?? declineExcerpt('it lacks a sample description');
    const chunks = yield* chunksOf(samples, place);
    const track = { codec: '', description };
    const boxes = yield* sampleTableBoxSteps({ track, samples, chunks, lead, longOffsets });
    tables.push({ boxes, offsets: chunks.offsets });
  }
  const duration = Math.round(end * scale);
  const build = (boxes: readonly (readonly Buffer[])[]) => {
    const changes = slices.map((slice, at) => changeOf(slice, scale, boxes[at] ?? []));
    return changedMovieBox(movie, scale, duration, changes);
  };
  // The length of the index does not depend on where the media is.
  const tableBytes = tables.reduce((sum, { boxes }) => sum + bytesIn(boxes), 0);
  const mediaOffset = bytesIn(build([])) + tableBytes + bytesAround;
  const placed: Buffer[][] = [];
  for (const { boxes, offsets } of tables) {
    placed.push(boxes.with(-1, yield* chunkOffsetBox(offsets, longOffsets, mediaOffset)));
  }
  return build(placed);
}

/** The new sample table of a track, and the offsets of its chunks in the media of the excerpt. */
interface SlicedTable {
  readonly boxes: readonly Buffer[];
  readonly offsets: readonly number[];
}

function bytesIn(boxes: readonly Buffer[]): number {
  return boxes.reduce((sum, { length }) => sum + length, 0);
}

function changeOf({ samples, start, length, mediaTime }: TrackSlice, scale: number, table: readonly Buffer[]) {
  if (samples.count === 0) return { table, mediaDuration: 0, duration: 0 };
  const delay = Math.round(start * scale);
  const edit = { delay, length: Math.round(length * scale), mediaTime };
  return { table, edit, mediaDuration: samples.ticks, duration: delay + edit.length } satisfies TrackChange;
}

/** Groups contiguous samples into chunks. */
function* chunksOf({ offsets, sizes, count }: SampleList, place: (position: number) => number) {
  const chunks = { offsets: [] as number[], counts: [] as number[] };
  let [next, length] = [-1, 0];
  yield* inBlocks(count, (from, end) => {
    for (let at = from; at < end; at += 1) {
      const offset = offsets[at] ?? 0;
      if (offset !== next) {
        if (length > 0) chunks.counts.push(length);
        chunks.offsets.push(place(offset));
        length = 0;
      }
      length += 1;
      next = offset + (sizes[at] ?? 0);
    }
  });
  if (length > 0) chunks.counts.push(length);
  return chunks;
}
