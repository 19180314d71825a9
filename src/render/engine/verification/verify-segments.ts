import { MillraceError } from '../../../contract/errors.ts';
import { listSegments, type PlaylistSegment, type PlaylistSegments } from '../tasks/playlist-segments.ts';
import type { StreamChunkTimes } from './chunk-times.ts';

/** Measurements of a file's segments. */
interface MeasuredFile {
  readonly playlist: PlaylistSegments;
  readonly streams: readonly StreamChunkTimes[];
  /**
   * Whether the file's clock jumped, so that the packets after the jump were moved to directly follow those before it.
   */
  readonly jumped: boolean;
  /** Whether such a jump went back, as it does if a source repeats a segment. */
  readonly wentBack: boolean;
  /** Index of the job's input. */
  readonly jobInput: number;
}

/** A segment may contain no media if it declares at most this many seconds: the rest of an audio frame. */
const minDeclaredDuration = 0.1;
/**
 * Longest interval between two consecutive segments that does not count as a gap, in seconds: one frame of each of two
 * streams.
 */
const seam = 0.2;

/** A segment with its measurements. */
interface MeasuredSegment extends PlaylistSegment {
  /** Whether it contains any packet. */
  readonly hasPackets: boolean;
  /** Duration of its longest stream in seconds. */
  readonly duration: number;
  /** Seconds by which its clock goes back. */
  readonly back: number;
  /** Seconds from its start to the start of the next segment, in the stream in which this time is shortest. */
  readonly step: number | undefined;
}

/**
 * Compares the content of each segment with the declaration in its playlist. Playlists round durations, cut at
 * keyframes, and may end at the last video frame and not at the end of the audio. So up to a second or half of the
 * segment, whichever is longer, may be missing.
 *
 * @returns Number of seconds by which the playlist overstates the duration although nothing is missing. This happens in
 * segments that are shorter than declared but end where the next one begins, and in the last segment.
 * @throws MillraceError `input_incomplete` for a segment without media or with far too little, and for a repeated one.
 */
export function verifySegments(file: MeasuredFile): number {
  const { playlist, streams, jumped, wentBack, jobInput } = file;
  const segments = listSegments(playlist);
  const isRounded = segments.every(({ declaredDuration }) => Number.isInteger(declaredDuration));
  let overstatedSeconds = 0;
  segments.forEach((segment, at) => {
    const next = segments[at + 1];
    const segmentMeasurement = measure(segment, next, streams);
    const { declaredDuration, hasPackets, duration, back, step } = segmentMeasurement;
    const fail = (what: string) => {
      const name = `Segment ${segment.number} of ${playlist.inAll} of input ${jobInput + 1}`;
      const message = `${name} ${what}, but its playlist declares ${declaredDuration.toFixed(1)} s. Start the job again.`;
      return new MillraceError('input_incomplete', message);
    };
    const maxDifference = Math.max(1, declaredDuration / 2);
    if (!hasPackets && declaredDuration > minDeclaredDuration) throw fail('holds no media');
    if (duration < declaredDuration - maxDifference && !hasLongPauses(streams, declaredDuration - duration)) {
      throw fail(`holds ${duration.toFixed(1)} s of media`);
    }
    const longest = Math.max(duration, step ?? 0);
    if (wentBack && longest > declaredDuration + maxDifference) throw fail(`lasts ${longest.toFixed(1)} s`);
    if (back > maxDifference) throw fail(`repeats ${back.toFixed(1)} s of media`);
    overstatedSeconds += Math.min(
      Math.max(0, declaredDuration - duration),
      allowedOverstatement(segmentMeasurement, next === undefined, jumped, isRounded),
    );
  });
  return overstatedSeconds;
}

function measure(
  { chunk, ...segment }: PlaylistSegment,
  next: PlaylistSegment | undefined,
  streams: readonly StreamChunkTimes[],
): MeasuredSegment {
  const timeRanges = streams.flatMap(({ timeRanges }) => timeRanges[chunk] ?? []);
  const steps = streams.flatMap(({ timeRanges }) => {
    const [own, following] = [timeRanges[chunk], next === undefined ? undefined : timeRanges[next.chunk]];
    return own === undefined || following === undefined ? [] : [following.first - own.first];
  });
  return {
    ...segment,
    chunk,
    hasPackets: timeRanges.length > 0,
    duration: Math.max(0, ...timeRanges.map(({ first, end }) => end - first)),
    back: Math.max(0, ...timeRanges.map(({ back }) => back)),
    step: steps.length === 0 ? undefined : Math.min(...steps),
  };
}

/**
 * Returns whether a file without audio presents its frames so rarely that a segment may end long before the next frame.
 */
function hasLongPauses(streams: readonly StreamChunkTimes[], seconds: number): boolean {
  return (
    streams.every(({ video }) => video) &&
    streams.some(({ longestPause, averagePause }) => Math.max(longestPause, averagePause) >= seconds / 2)
  );
}

/** Returns by how many seconds a segment may be shorter than declared although nothing is missing. */
function allowedOverstatement(
  { declaredDuration, duration, step }: MeasuredSegment,
  last: boolean,
  jumped: boolean,
  isRounded: boolean,
): number {
  // If all declared durations are whole numbers, they have been rounded, possibly up.
  const roundingSeconds = isRounded ? 1 : 0;
  if (last) return Math.max(roundingSeconds, Math.min(1, declaredDuration / 4));
  // After a jump, the packets were moved to directly follow those before it, regardless of the actual time between
  // them.
  if (jumped) return roundingSeconds;
  return step !== undefined && step <= duration + seam ? declaredDuration : 0;
}
