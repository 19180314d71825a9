import { decline } from '../../engine/binary/fast-path-declined.ts';
import { SampleList } from '../../engine/mp4/sample-list.ts';
import { readSampleTable } from '../../engine/mp4/sample-table-reader.ts';
import type { TrackBoxes } from './movie-boxes.ts';

/** A track with its samples, on the clock of its file in seconds. */
export interface TimedTrack {
  readonly track: TrackBoxes;
  readonly samples: SampleList;
  /** When its presentation begins and ends; both 0 without samples. */
  readonly start: number;
  readonly end: number;
  /** Number of ticks in its media at which the clock is zero; may be negative. */
  readonly zero: number;
}

/**
 * Reads the samples of a track.
 *
 * @param limit - maximum number of samples.
 * @param size - size of the file in bytes.
 * @throws FastPathDeclined
 */
export function readTimedTrack(track: TrackBoxes, limit: number, size: number): TimedTrack {
  const { timescale, edit, kind, table } = track;
  const samples = readSampleTable(table, kind !== 'video', limit);
  for (let at = 0; at < samples.count; at += 1) {
    if ((samples.offsets[at] ?? 0) + (samples.sizes[at] ?? 0) > size) decline('one of its samples is outside the file');
  }
  const { delay, mediaTime, length = Number.POSITIVE_INFINITY } = edit ?? { delay: 0, mediaTime: 0 };
  const zero = mediaTime - delay * timescale;
  if (samples.count === 0) return { track, samples, start: 0, end: 0, zero };
  const { first, end } = samples.extent();
  const start = delay + Math.max(0, first - mediaTime) / timescale;
  const playedEnd = Math.min((end - zero) / timescale, delay + length);
  return { track, samples, start, end: Math.max(start, playedEnd), zero };
}

/** Consecutive samples of a track; the end is exclusive. */
export interface SampleSlice {
  readonly first: number;
  readonly end: number;
}

/** Returns the time of the last sample that begins at or before `time` and can be decoded first; else the first's. */
export function lastSyncStart(timed: TimedTrack, time: number): number {
  const { track, zero } = timed;
  const { count, sync, durations, compositions } = timed.samples;
  let [first, latest]: [number | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
  let decoding = -zero;
  for (let at = 0; at < count; at += 1) {
    if (sync[at] === 1) {
      const start = (decoding + (compositions[at] ?? 0)) / track.timescale;
      first ??= start;
      if (start <= time && start > latest) latest = start;
    }
    decoding += durations[at] ?? 0;
  }
  return Math.max(timed.start, latest > Number.NEGATIVE_INFINITY ? latest : (first ?? timed.start));
}

/**
 * Returns the samples that play between two times, from one that can be decoded first. Samples of other tracks, such as
 * subtitles, are decoded independently, so the first one is the one that is displayed.
 */
export function selectSamples({ samples, track, zero }: TimedTrack, begin: number, end: number): SampleSlice {
  const { count, sync, durations, compositions } = samples;
  const { timescale, kind } = track;
  let [first, last, decoding] = [0, -1, -zero];
  for (let at = 0; at < count; at += 1) {
    const presentation = decoding + (compositions[at] ?? 0);
    const duration = durations[at] ?? 0;
    const start = presentation / timescale;
    if (sync[at] === 1) {
      if (kind !== 'other') {
        if (start <= begin) first = at;
      } else if ((presentation + duration) / timescale <= begin) first = at + 1;
    }
    if (start < end) last = at;
    decoding += duration;
  }
  return { first, end: Math.max(first, last + 1) };
}

/** Copies consecutive samples to a new list, whose decoding times begin at zero. */
export function sliceSamples(samples: SampleList, { first, end }: SampleSlice): SampleList {
  const slice = new SampleList(end - first);
  slice.reserve(end - first);
  for (let at = first; at < end; at += 1) {
    slice.add(
      samples.offsets[at] ?? 0,
      samples.sizes[at] ?? 0,
      samples.durations[at] ?? 0,
      samples.compositions[at] ?? 0,
      samples.sync[at] === 1,
    );
  }
  return slice;
}

/** Returns the decoding time of a sample, in ticks from the decoding time of the first one. */
export function decodingTime({ durations }: SampleList, sample: number): number {
  let ticks = 0;
  for (let at = 0; at < sample; at += 1) ticks += durations[at] ?? 0;
  return ticks;
}
