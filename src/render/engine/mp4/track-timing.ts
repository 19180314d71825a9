import { decline, withInputNumber } from '../binary/fast-path-declined.ts';
import { timelineStarts } from '../timing/timeline.ts';
import type { SampleList } from './sample-list.ts';
import type { Track } from './track-reader.ts';

/** Seconds that an edit may cut off the start of sound: what decoders need to get going, and no more. */
const maxPriming = 1;
/** Seconds by which the end that an edit tells may be off the media's. */
const maxEndError = 0.5;
/** Seconds by which a frame may be shown before or after it is decoded. */
const maxReordering = 10;

/** Seconds that a result may play. */
const maxSeconds = 1_000_000;

/** A track with its samples, and the place of its input among the task's inputs. */
export interface SourceTrack {
  readonly input: number;
  readonly track: Track;
  readonly samples: SampleList;
}

/** When a track plays in the result. */
export interface TrackTiming {
  /** Seconds before it begins. */
  readonly delay: number;
  /** Where in its media it begins, in ticks from the first sample's decoding. */
  readonly mediaTime: number;
  /** Seconds that it plays. */
  readonly length: number;
  /** Ticks that are added between decoding and showing of each sample, so that none is shown before it is decoded. */
  readonly lead: number;
  /** Seconds from its earliest to the end of its latest sample, edits left aside. */
  readonly duration: number;
}

/**
 * Puts tracks on the result's clock, as the engine does: it begins at zero, tracks of one input keep their distance,
 * and so do inputs that share a clock.
 *
 * @throws FastPathDeclined when an edit cuts into the media.
 */
export function placeTracks(tracks: readonly SourceTrack[]): TrackTiming[] {
  const own = tracks.map((track) => withInputNumber(track.input, () => ownTiming(track)));
  const inputs = [...new Set(tracks.map(({ input }) => input))];
  const starts = timelineStarts(
    inputs.map((input) => ({
      format: 'mp4',
      first: Math.min(...own.filter((_, at) => tracks[at]?.input === input).map(({ delay }) => delay)),
    })),
  );
  return own.map((timing, at) => {
    const start = starts[inputs.indexOf(tracks[at]?.input ?? 0)] ?? 0;
    const delay = Math.max(0, timing.delay - start);
    if (!(timing.length > 0) || delay + timing.length > maxSeconds) decline('it plays for an impossible time');
    return { ...timing, delay };
  });
}

/** When a track plays on its own file's clock. */
function ownTiming({ track: { kind, edit, timescale, ticks }, samples }: SourceTrack): TrackTiming {
  const { first, end } = samples.extent();
  const lead = Math.max(0, -samples.compositions.subarray(0, samples.count).reduce(smaller, 0));
  if (Math.max(lead, Math.abs(first)) > maxReordering * timescale) decline('its frames are far out of order');
  const duration = (end - first) / timescale;
  if (samples.ticks < ticks - Math.max(1, (ticks / timescale) * 0.02) * timescale) {
    decline('one of its tracks is shorter than its header says');
  }
  const all = { mediaTime: first + lead, length: duration, lead, duration };
  if (edit === undefined) return { ...all, delay: (samples.start + first) / timescale };
  const from = edit.mediaTime - samples.start;
  const cutSeconds = (from - first) / timescale;
  if (cutSeconds > (kind === 'audio' ? maxPriming : 0)) decline('one of its tracks does not play from its beginning');
  const editLength = edit.length ?? (end - from) / timescale;
  if (Math.abs(from / timescale + editLength - end / timescale) > maxEndError)
    decline('one of its tracks does not play to its end');
  // An edit may begin before the first frame, where nothing is shown yet.
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
