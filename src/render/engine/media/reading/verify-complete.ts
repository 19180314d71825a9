import { AVERROR_EOF } from 'node-av/constants';
import { FFmpegError } from 'node-av/lib';
import { withFile } from '../../binary/byte-source.ts';
import { incompleteInputError } from '../../errors/incomplete-input.ts';
import { isoFormat } from '../../formats/demuxer-names.ts';
import { readIndexProperties } from '../../mp4/index-properties.ts';
import type { Extent } from '../../timing/timeline.ts';
import { initializationSegment, noFramesError } from '../../track-plan/stream-messages.ts';
import { isContinuous, type MediaInput } from '../input/media-input.ts';

/** The result of reading an input. */
export interface ReadResult {
  readonly input: MediaInput;
  /** Result code of the last read. */
  readonly endCode: number;
  /** Extent of each stream that was read; undefined for the others. */
  readonly extents: readonly (Extent | undefined)[];
  /** Time on the result's clock, in seconds, at which the input's own clock is zero, unless it jumps. */
  readonly origin: number;
  /** Which streams were read. The others give no information about the file. */
  readonly readStreams: readonly boolean[];
  /** Number of seconds that the source declares without media (`verify-segments.ts`). */
  readonly overstatedSeconds?: number;
}

/**
 * Returns the number of seconds that may be missing at the end. Containers round, and the last frame's duration is
 * often an estimate.
 */
function tolerance(expectedDuration: number): number {
  return Math.max(1, expectedDuration * 0.02);
}

/**
 * Returns the number of seconds that may be missing compared with a whole file's header. In MP3 the header counts
 * frames, and programs that trim files leave the count unchanged. One more second is tolerated, unless the file is so
 * short that this is a large part of it.
 */
function headerTolerance(input: MediaInput, expectedDuration: number): number {
  return input.format === 'mp3'
    ? Math.max(tolerance(expectedDuration), Math.min(2, expectedDuration * 0.1))
    : tolerance(expectedDuration);
}

/**
 * Compares the duration that was read from an input with the durations that its source and its own header declare.
 *
 * @returns Duration that it plays, in seconds.
 * @throws MillraceError `input_incomplete` when it ends early. The media library does not distinguish a truncated file
 * from a complete one.
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
  verifyExpectedDuration(input, playedSeconds + overstatedSeconds, input.expectedDuration);
  extents.forEach((extent, at) => {
    // Subtitles and covers may come at any time.
    if (readStreams[at] !== true || !isContinuous(input, at)) return;
    const length = extent === undefined ? 0 : extent.end - extent.first;
    const source = input.sources[at];
    const why = `its ${source?.codec} ${source?.kind} (stream ${at}) is shorter than its header declares`;
    refuseShorter(input, length, input.streamDurations[at], why);
  });
  const whole = input.sources.every((_, at) => readStreams[at] === true || !isContinuous(input, at));
  // Both kinds of header occur in practice: durations counted from zero, and durations counted from the first frame.
  if (whole) {
    const length = nonEmpty.length === 0 ? 0 : Math.max(playedSeconds, end - origin);
    refuseShorter(
      input,
      length,
      input.duration,
      'its header declares a longer duration',
      headerTolerance(input, input.duration ?? 0),
    );
  }
  const media = input.sources.filter(({ subtitleFile }) => subtitleFile === undefined);
  if (nonEmpty.length === 0 && media.length > 0) {
    const streams = media.filter((_, at) => readStreams[at] === true);
    throw noFramesError(input.name, streams, input.jobInput, isFragmented(input) ? initializationSegment : undefined);
  }
  if (endCode === AVERROR_EOF) return playedSeconds;
  throw incompleteInputError(
    `${input.name} cannot be read beyond ${playedSeconds.toFixed(1)} s (${FFmpegError.strerror(endCode)})`,
    input.hasStatedSize,
  );
}

/**
 * Compares the duration of an input with the one that its source declared.
 *
 * @throws MillraceError `input_incomplete` when it is shorter.
 */
export function verifyExpectedDuration(
  file: Pick<MediaInput, 'name' | 'hasStatedSize'>,
  playedSeconds: number,
  expectedDuration: number | undefined,
): void {
  refuseShorter(file, playedSeconds, expectedDuration, 'its source declared a longer duration');
}

/** Whether a file is MP4 whose media is in fragments, which its index does not list. */
function isFragmented({ format, path }: MediaInput): boolean {
  return format === isoFormat && !withFile(path, readIndexProperties).listsAllSamples;
}

function refuseShorter(
  { name, hasStatedSize }: Pick<MediaInput, 'name' | 'hasStatedSize'>,
  playedSeconds: number,
  expectedDuration: number | undefined,
  why: string,
  maxMissing = tolerance(expectedDuration ?? 0),
): void {
  if (expectedDuration === undefined || !(expectedDuration > 0) || playedSeconds >= expectedDuration - maxMissing)
    return;
  throw incompleteInputError(
    `${name} ends at ${playedSeconds.toFixed(1)} s of ${expectedDuration.toFixed(1)} s: ${why}`,
    hasStatedSize,
  );
}
