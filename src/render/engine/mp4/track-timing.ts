import { decline, withInputNumber } from '../binary/fast-path-declined.ts';
import type { EngineInput } from '../tasks/task.ts';
import { timelineStarts } from '../timing/timeline-starts.ts';
import type { SampleList } from './sample-list.ts';
import type { Track } from './track-reader.ts';

/**
 * Maximum priming that an edit may remove from the start of audio, in seconds. Priming is the audio that decoders need
 * before their output is correct.
 */
const maxPriming = 1;
/** Maximum difference between the end of an edit and the end of the media, in seconds. */
const maxEndError = 0.5;
/** Maximum time between decoding and presentation of a frame, in seconds, in either direction. */
const maxReordering = 10;

/** Maximum duration of a result, in seconds. */
export const maxSeconds = 1_000_000;

/** A track with its samples, and the index of its input among the task's inputs. */
export interface SourceTrack {
  readonly input: number;
  readonly track: Track;
  readonly samples: SampleList;
}

/** When a track plays in the result. */
export interface TrackTiming {
  /** Delay before it begins, in seconds. */
  readonly delay: number;
  /** Start in its media, in ticks from the decoding time of the first sample. */
  readonly mediaTime: number;
  /** Playing time in seconds. */
  readonly length: number;
  /** Ticks added between decoding and presentation of each sample, so that none is presented before it is decoded. */
  readonly lead: number;
  /** Seconds from the start of its earliest to the end of its latest sample, without edits. */
  readonly duration: number;
}

/** The part of an input's source that its file contains. */
type Excerpt = Pick<EngineInput, 'excerptStart' | 'jobInput' | 'duration'>;

/**
 * Places tracks on the clock of the result, in the same way as the engine. The clock begins at zero. The tracks of one
 * input keep their distance, and so do inputs that share a clock.
 *
 * @param excerpts - by input: which part of its source it is. The clock begins with the source.
 * @throws FastPathDeclined if an edit removes more than priming.
 */
export function placeTracks(tracks: readonly SourceTrack[], excerpts: readonly Excerpt[] = []): TrackTiming[] {
  const own = tracks.map((track) => {
    const isExcerpt = excerpts[track.input]?.excerptStart !== undefined;
    return withInputNumber(track.input, () => ownTiming(track, isExcerpt));
  });
  const inputs = [...new Set(tracks.map(({ input }) => input))];
  const starts = timelineStarts(
    inputs.map((input) => ({
      clock: 'presentation',
      excerptStart: excerpts[input]?.excerptStart,
      jobInput: excerpts[input]?.jobInput ?? input,
      duration: excerpts[input]?.duration,
      first: Math.min(...own.filter((_, at) => tracks[at]?.input === input).map(({ delay }) => delay)),
    })),
  );
  return own.map((timing, at) => {
    const start = starts[inputs.indexOf(tracks[at]?.input ?? 0)] ?? 0;
    const delay = Math.max(0, timing.delay - start);
    if (!(timing.length > 0) || delay + timing.length > maxSeconds) decline('its duration is impossible');
    return { ...timing, delay };
  });
}

/** Returns when a track plays on the clock of its own file. */
function ownTiming({ track: { kind, edit, timescale, ticks }, samples }: SourceTrack, isExcerpt: boolean): TrackTiming {
  const { first, end } = samples.extent();
  const lead = Math.max(0, -samples.compositions.subarray(0, samples.count).reduce(smaller, 0));
  if (Math.max(lead, Math.abs(first)) > maxReordering * timescale) decline('its frames are far out of order');
  const duration = (end - first) / timescale;
  if (!isExcerpt && samples.ticks < ticks - Math.max(1, (ticks / timescale) * 0.02) * timescale) {
    decline('one of its tracks is shorter than its header says');
  }
  const all = { mediaTime: first + lead, length: duration, lead, duration };
  if (edit === undefined) return { ...all, delay: (samples.start + first) / timescale };
  const from = edit.mediaTime - samples.start;
  const cutSeconds = (from - first) / timescale;
  if (cutSeconds > (kind === 'audio' ? maxPriming : 0)) decline('one of its tracks does not play from its beginning');
  const mediaLength = (end - from) / timescale;
  // The edit of an excerpt ends with its source.
  const editLength = isExcerpt ? Math.min(mediaLength, edit.length ?? mediaLength) : (edit.length ?? mediaLength);
  if (!isExcerpt && Math.abs(from / timescale + editLength - end / timescale) > maxEndError)
    decline('one of its tracks does not play to its end');
  // An edit may begin before the first frame, where nothing is presented yet.
  const wait = Math.max(0, -cutSeconds);
  return {
    delay: edit.delay + wait,
    mediaTime: Math.max(from, first) + lead,
    length: editLength - wait,
    lead,
    duration,
  };
}

function smaller(least: number, value: number): number {
  return value < least ? value : least;
}

/** Returns the time at which a result ends, in seconds. */
export function presentationEnd(timings: readonly TrackTiming[]): number {
  return Math.max(0, ...timings.map(({ delay, length }) => delay + length));
}
