import { AVERROR_EOF } from 'node-av/constants';
import { FFmpegError } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import type { Extent } from '../../timing/timeline.ts';
import { isContinuous, type MediaInput } from '../input/media-input.ts';

/** How an input was read. */
export interface ReadResult {
  readonly input: MediaInput;
  /** What the last read returned. */
  readonly endCode: number;
  /** What each stream held that was read; nothing for the others. */
  readonly extents: readonly (Extent | undefined)[];
  /** Seconds on that clock at which the input's own clock shows zero, unless it jumps. */
  readonly origin: number;
  /** Which streams were read; the others say nothing of the file. */
  readonly readStreams: readonly boolean[];
  /** Seconds that its source promises although the media has none there (`verify-segments.ts`). */
  readonly overstatedSeconds?: number;
}

/** Seconds that may be missing at the end: containers round, and the last frame's length is often a guess. */
function tolerance(expectedDuration: number): number {
  return Math.max(1, expectedDuration * 0.02);
}

/**
 * The same for what a whole file's header promises. In MP3 that is a count of frames, which programs that trim files
 * leave as it was: a second more is forgiven, but not to a file of which it would be a large part.
 */
function headerTolerance(input: MediaInput, expectedDuration: number): number {
  return input.format === 'mp3'
    ? Math.max(tolerance(expectedDuration), Math.min(2, expectedDuration * 0.1))
    : tolerance(expectedDuration);
}

/**
 * Holds what was read of an input against what was promised: by the source, and by the file's own header.
 *
 * @returns Seconds that it plays.
 * @throws MillraceError `input_incomplete` when it ends early: the media library takes a file that was cut for one
 *   that ended.
 */
export function verifyComplete({
  input,
  endCode,
  extents,
  origin,
  readStreams,
  overstatedSeconds = 0,
}: ReadResult): number {
  const nonEmpty = extents.filter((extent) => extent !== undefined);
  const first = Math.min(...nonEmpty.map((extent) => extent.first));
  const end = Math.max(...nonEmpty.map((extent) => extent.end));
  const playedSeconds = nonEmpty.length === 0 ? 0 : end - first;
  verifyExpectedDuration(input.name, playedSeconds + overstatedSeconds, input.expectedDuration);
  extents.forEach((extent, at) => {
    // Subtitles and pictures come when they come.
    if (readStreams[at] !== true || !isContinuous(input, at)) return;
    const length = extent === undefined ? 0 : extent.end - extent.first;
    refuseShorter(input.name, length, input.streamDurations[at], `its ${input.sources[at]?.kind} is cut short`);
  });
  const whole = input.sources.every((_, at) => readStreams[at] === true || !isContinuous(input, at));
  // A header that counts from zero and one that counts from the first frame are both met in the wild.
  if (whole) {
    const length = nonEmpty.length === 0 ? 0 : Math.max(playedSeconds, end - origin);
    refuseShorter(
      input.name,
      length,
      input.duration,
      'the rest is missing',
      headerTolerance(input, input.duration ?? 0),
    );
  }
  if (nonEmpty.length === 0) {
    throw new MillraceError('input_unreadable', `${input.name} holds no frame of its streams. Start the job again.`);
  }
  if (endCode === AVERROR_EOF) return playedSeconds;
  throw new MillraceError(
    'input_incomplete',
    `${input.name} cannot be read beyond ${playedSeconds.toFixed(1)} s (${FFmpegError.strerror(endCode)}). Start the job again.`,
  );
}

/**
 * Compares the duration of an input with the one that its source promised.
 *
 * @throws MillraceError `input_incomplete` when it plays less.
 */
export function verifyExpectedDuration(
  name: string,
  playedSeconds: number,
  expectedDuration: number | undefined,
): void {
  refuseShorter(name, playedSeconds, expectedDuration, 'its source promised more');
}

function refuseShorter(
  name: string,
  playedSeconds: number,
  expectedDuration: number | undefined,
  why: string,
  maxMissing = tolerance(expectedDuration ?? 0),
): void {
  if (expectedDuration === undefined || !(expectedDuration > 0) || playedSeconds >= expectedDuration - maxMissing)
    return;
  throw new MillraceError(
    'input_incomplete',
    `${name} ends at ${playedSeconds.toFixed(1)} s of ${expectedDuration.toFixed(1)} s: ${why}. Start the job again.`,
  );
}
