import type { Clip } from '../../../contract/clip.ts';
import { MillraceError } from '../../../contract/errors.ts';
import { timelineStarts } from '../../engine/timing/timeline-starts.ts';

/**
 * Returns the error for a clip that starts after the end of the media.
 *
 * @param duration - duration of the media in seconds.
 * @param name - name of its input; default: all inputs.
 */
export function clipOutOfRange({ start }: Clip, duration: number, name = 'the media'): MillraceError {
  const seconds = (time: number) => Number(time.toFixed(1));
  const message = `The clip starts at ${seconds(start)} s, but ${name.toLowerCase()} lasts ${seconds(duration)} s. Choose a clip within it.`;
  return new MillraceError('clip_out_of_range', message);
}

/** An excerpt of an input on the clock of its source. */
export interface TimedExcerpt {
  /** First timestamps of the source and of the excerpt, in seconds. */
  readonly sourceStart: number;
  readonly start: number;
}

/**
 * Returns the time of the first timestamp of each excerpt, in seconds from the beginning of its source. Inputs that
 * share a clock, like the separate video and audio of one stream, begin together, as in the engine. Only formats whose
 * timestamps have an origin have an index to make excerpts with.
 */
export function excerptStarts(excerpts: readonly TimedExcerpt[]): number[] {
  const begins = timelineStarts(excerpts.map(({ sourceStart }) => ({ clock: 'presentation', first: sourceStart })));
  return excerpts.map(({ start, sourceStart }, at) => Math.max(0, start - (begins[at] ?? sourceStart)));
}
