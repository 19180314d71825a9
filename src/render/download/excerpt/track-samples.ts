import { inBlocks, type Steps } from '../../../waiting/steps.ts';
import { decline } from '../../engine/binary/fast-path-declined.ts';
import type { SampleList } from '../../engine/mp4/sample-list.ts';
import { sampleTableSteps } from '../../engine/mp4/sample-table-reader.ts';
import type { TrackBoxes } from './movie-boxes.ts';

/** Maximum number of samples of a track, all of which are in memory while it is read: 21 bytes each. */
const maxTrackSamples = 2_500_000;

/** A track on the clock of its file in seconds. */
export interface TimedTrack {
  readonly track: TrackBoxes;
  /** Number of its samples. */
  readonly count: number;
  /** The samples, if they are in memory. */
  readonly samples?: SampleList;
  /** When its presentation begins and ends; both 0 without samples. */
  readonly start: number;
  readonly end: number;
  /** Number of ticks in its media at which the clock is zero; may be negative. */
  readonly zero: number;
}

/**
 * Reads the times of a track.
 *
 * @param limit - maximum number of samples.
 * @param size - size of the file in bytes.
 * @param inMemory - maximum number of samples that stay in memory.
 * @throws FastPathDeclined
 */
export function* readTimedTrack(track: TrackBoxes, limit: number, size: number, inMemory: number): Steps<TimedTrack> {
  const { timescale, edit } = track;
  const samples = yield* sampleSteps(track, limit);
  const { offsets, sizes, count } = samples;
  yield* inBlocks(count, (from, end) => {
    for (let at = from; at < end; at += 1) {
      if ((offsets[at] ?? 0) + (sizes[at] ?? 0) > size) decline('one of its samples is outside the file');
    }
  });
  const { delay, mediaTime, length = Number.POSITIVE_INFINITY } = edit ?? { delay: 0, mediaTime: 0 };
  const zero = mediaTime - delay * timescale;
  if (count === 0) return { track, count, samples, start: 0, end: 0, zero };
  const { first, end } = samples.extent();
  yield undefined;
  const start = delay + Math.max(0, first - mediaTime) / timescale;
  const playedEnd = Math.min((end - zero) / timescale, delay + length);
  if (count > inMemory) samples.release();
  const kept = count <= inMemory ? { samples } : {};
  return { track, count, ...kept, start, end: Math.max(start, playedEnd), zero };
}

/** Uses the samples of a track, which are read again if they are not in memory. */
export function* withSamples<Result>(
  { track, count, samples }: TimedTrack,
  use: (samples: SampleList) => Steps<Result>,
): Steps<Result> {
  if (samples !== undefined) return yield* use(samples);
  const read = yield* sampleSteps(track, count);
  const result = yield* use(read);
  read.release();
  return result;
}

function* sampleSteps({ table, kind }: TrackBoxes, limit: number): Steps<SampleList> {
  return yield* sampleTableSteps(table, kind !== 'video', Math.min(limit, maxTrackSamples));
}

/** Consecutive samples of a track; the end is exclusive. */
export interface SampleSlice {
  readonly first: number;
  readonly end: number;
}

/** Returns the time of the last sample that begins at or before `time` and can be decoded first; else the first's. */
export function* lastSyncStart(
  { track, zero, start: trackStart }: TimedTrack,
  { count, sync, durations, compositions }: SampleList,
  time: number,
): Steps<number> {
  let [first, latest]: [number | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
  let decoding = -zero;
  yield* inBlocks(count, (from, end) => {
    for (let at = from; at < end; at += 1) {
      if (sync[at] === 1) {
        const start = (decoding + (compositions[at] ?? 0)) / track.timescale;
        first ??= start;
        if (start <= time && start > latest) latest = start;
      }
      decoding += durations[at] ?? 0;
    }
  });
  return Math.max(trackStart, latest > Number.NEGATIVE_INFINITY ? latest : (first ?? trackStart));
}

/**
 * Returns the samples that play between two times, from one that can be decoded first. Samples of other tracks, such as
 * subtitles, are decoded independently, so the first one is the one that is displayed. If video pauses at the end, the
 * next sample is kept too: it shows that the one before it is still displayed.
 */
export function* selectSamples(
  { track, zero }: TimedTrack,
  { count, sync, durations, compositions }: SampleList,
  begin: number,
  end: number,
): Steps<SampleSlice> {
  const { timescale, kind } = track;
  let [first, last, decoding] = [0, -1, -zero];
  let [lastDecoded, playedEnd] = [-1, Number.NEGATIVE_INFINITY];
  yield* inBlocks(count, (from, until) => {
    for (let at = from; at < until; at += 1) {
      const presentation = decoding + (compositions[at] ?? 0);
      const duration = durations[at] ?? 0;
      const start = presentation / timescale;
      if (sync[at] === 1) {
        if (kind !== 'other') {
          if (start <= begin) first = at;
        } else if ((presentation + duration) / timescale <= begin) first = at + 1;
      }
      if (start < end) {
        last = at;
        playedEnd = Math.max(playedEnd, (presentation + duration) / timescale);
      }
      if (decoding / timescale < end) lastDecoded = at;
      decoding += duration;
    }
  });
  if (kind === 'video' && playedEnd < end) last = Math.max(last, Math.min(lastDecoded + 1, count - 1));
  return { first, end: Math.max(first, last + 1) };
}
