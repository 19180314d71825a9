import type { Clip } from '../../../contract/clip.ts';
import { mediaDataHeader } from '../../engine/mp4/movie-writer.ts';
import { SampleList } from '../../engine/mp4/sample-list.ts';
import { sampleTableBoxes } from '../../engine/mp4/sample-table-writer.ts';
import type { ByteRange } from '../byte-ranges.ts';
import { declineExcerpt, type Excerpt, endMargin, type MediaIndex } from './media-index.ts';
import { changedMovieBox, type MovieBoxes, type TrackChange } from './movie-boxes.ts';
import { coverRanges } from './nearby-ranges.ts';
import {
  decodingTime,
  lastSyncStart,
  readTimedTrack,
  selectSamples,
  sliceSamples,
  type TimedTrack,
} from './track-samples.ts';

/** Maximum number of samples of all tracks: eleven hours at 60 frames per second. Each takes 21 bytes of memory. */
const maxSamples = 2_500_000;
/** Seconds of audio that are kept before its start, so that decoders produce correct audio from there (RFC 7845 §4.6). */
const preRollSeconds = 0.08;
/** Maximum duration in ticks of the movie header, which stores 32 bits. */
const maxTicks = 2 ** 31;
/** Maximum size of media whose chunks are certain to be below 4 GiB. */
const maxShortMediaBytes = 2 ** 31;

/**
 * Returns the index of an MP4 or QuickTime file whose `moov` box lists all samples.
 *
 * @param fileType - its whole `ftyp` box; empty without one.
 * @param size - size of the file in bytes.
 * @throws FastPathDeclined for a malformed file; ExcerptDeclined for one without video and audio.
 */
export function movieIndex(movie: MovieBoxes, fileType: Buffer, size: number): MediaIndex {
  const limit = Math.floor(maxSamples / movie.tracks.length);
  const tracks = movie.tracks.map((track) => readTimedTrack(track, limit, size));
  const played = tracks.filter(({ track, samples }) => track.kind !== 'other' && samples.count > 0);
  if (played.length === 0) declineExcerpt('its index lists no video and no audio');
  const start = Math.min(...played.map((timed) => timed.start));
  const end = Math.max(...played.map((timed) => timed.end));
  return {
    start,
    duration: end - start,
    hasVideo: played.some(({ track }) => track.kind === 'video'),
    planExcerpt: (clip) => planMovieExcerpt({ movie, tracks, played, fileType }, absoluteClip(clip, start, end)),
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

function planMovieExcerpt({ movie, tracks, played, fileType }: IndexedMovie, clip: Required<Clip>): Excerpt {
  const running = played.filter(({ start }) => start <= clip.start);
  const videos = running.filter(({ track }) => track.kind === 'video');
  const leading = videos.length > 0 ? videos : running;
  const begin = Math.min(clip.start, ...leading.map((timed) => lastSyncStart(timed, clip.start)));
  const slices = tracks.map((timed) => sliceTrack(timed, begin, clip.end + endMargin));
  const ranges = coverRanges(slices.flatMap(({ samples }) => [...rangesOf(samples)]));
  const mediaBytes = ranges.reduce((sum, { from, end }) => sum + end - from, 0);
  const mediaHeader = mediaDataHeader(mediaBytes);
  const longOffsets = mediaBytes > maxShortMediaBytes;
  const build = (mediaOffset: number) => movieBoxOf(movie, slices, placeOf(ranges, mediaOffset), longOffsets);
  // The length of the index does not depend on where the media is.
  const mediaOffset = fileType.length + build(0).length + mediaHeader.length;
  const head = Buffer.concat([fileType, build(mediaOffset), mediaHeader]);
  const starts = slices.flatMap(({ start, isPlayed }) => (isPlayed ? [start] : []));
  return { parts: [head, ...ranges], start: starts.length === 0 ? begin : Math.min(...starts) };
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

/** Keeps the samples of a track between two times, and those that are needed to decode them. */
function sliceTrack(timed: TimedTrack, begin: number, end: number): TrackSlice {
  const { track, samples, zero } = timed;
  const slice = selectSamples(timed, track.kind === 'audio' ? begin - preRollSeconds : begin, end);
  const kept = sliceSamples(samples, slice);
  const from = decodingTime(samples, slice.first);
  const extent = kept.extent();
  const firstStart = (from + extent.first - zero) / track.timescale;
  const start = Math.max(begin, timed.start, firstStart);
  const length = Math.min((from + extent.end - zero) / track.timescale, timed.end) - start;
  if (!(length > 0)) return emptySlice(timed);
  const isPlayed = track.kind !== 'other';
  if (!isPlayed && firstStart < start) shortenFirst(kept, Math.round((start - firstStart) * track.timescale));
  const lead = Math.max(0, -kept.compositions.subarray(0, kept.count).reduce((one, other) => Math.min(one, other), 0));
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

/** Returns the byte ranges of samples; contiguous samples as one. */
function* rangesOf({ offsets, sizes, count }: SampleList): Generator<ByteRange> {
  let range: { from: number; end: number } | undefined;
  for (let at = 0; at < count; at += 1) {
    const from = offsets[at] ?? 0;
    const end = from + (sizes[at] ?? 0);
    if (range?.end === from) {
      range.end = end;
      continue;
    }
    if (range !== undefined) yield range;
    range = { from, end };
  }
  if (range !== undefined) yield range;
}

/** Returns a function that returns where a byte of the source is in the excerpt. */
function placeOf(ranges: readonly ByteRange[], mediaOffset: number): (position: number) => number {
  let destination = mediaOffset;
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

function movieBoxOf(
  movie: MovieBoxes,
  slices: readonly TrackSlice[],
  place: (position: number) => number,
  longOffsets: boolean,
): Buffer {
  const end = Math.max(...slices.map(({ start, length }) => start + length));
  const finest = Math.max(movie.timescale, ...slices.map(({ timed }) => timed.track.timescale));
  // The finest clock of the tracks, so that delays are exact. Players store durations in 32 bits.
  const scale = end * finest < maxTicks ? finest : movie.timescale;
  const changes = slices.map((slice): TrackChange => {
    const { timed, samples, start, length, mediaTime, lead } = slice;
    const entry =
      timed.track.table.find(({ type }) => type === 'stsd')?.bytes ?? declineExcerpt('it lacks a sample description');
    const chunks = chunksOf(samples, place);
    const table = sampleTableBoxes({ codec: '', description: entry }, samples, chunks, lead, longOffsets);
    if (samples.count === 0) return { table, mediaDuration: 0, duration: 0 };
    const delay = Math.round(start * scale);
    const edit = { delay, length: Math.round(length * scale), mediaTime };
    return { table, edit, mediaDuration: samples.ticks, duration: delay + edit.length };
  });
  return changedMovieBox(movie, scale, Math.round(end * scale), changes);
}

/** Groups contiguous samples into chunks. */
function chunksOf({ offsets, sizes, count }: SampleList, place: (position: number) => number) {
  const chunks = { offsets: [] as number[], counts: [] as number[] };
  let next = -1;
  for (let at = 0; at < count; at += 1) {
    const offset = offsets[at] ?? 0;
    if (offset === next) chunks.counts[chunks.counts.length - 1] = (chunks.counts.at(-1) ?? 0) + 1;
    else {
      chunks.offsets.push(place(offset));
      chunks.counts.push(1);
    }
    next = offset + (sizes[at] ?? 0);
  }
  return chunks;
}
