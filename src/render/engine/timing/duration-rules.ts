import type { Clip } from '../../../contract/clip.ts';
import type { Duration } from '../../../contract/encoding.ts';
import { clipOutOfRange } from './clip-rules.ts';

/** The ends of the media that a duration depends on, in seconds from the start of the media. */
export interface MediaEnds {
  /** End of the video of input 1. */
  readonly video: number;
  /** End of the audio of input 2. */
  readonly audio: number;
}

/** A duration at which streams are cut. */
type CutDuration = Exclude<Duration, 'longest'>;

/** Returns whether a duration depends on the ends of the inputs, which must be measured. */
export function isMeasured(duration: Duration | undefined): duration is CutDuration {
  return duration !== undefined && duration !== 'longest';
}

/**
 * Returns the part of the media that a result of a duration keeps.
 *
 * @param clip - the clip that the job requested.
 * @throws MillraceError `clip_out_of_range` if that clip begins after this part.
 */
export function clipToDuration(duration: CutDuration, clip: Clip | undefined, { video, audio }: MediaEnds): Clip {
  const { start = 0, end = Number.POSITIVE_INFINITY } = clip ?? {};
  const mediaEnd = duration === 'video' ? video : Math.min(video, audio);
  if (start >= mediaEnd) throw clipOutOfRange({ start }, mediaEnd);
  return { start, end: Math.min(end, mediaEnd) };
}
