import { MillraceError } from '../../../contract/errors.ts';
import { listSegments, type PlaylistSegment, type PlaylistSegments } from '../tasks/playlist-segments.ts';
import type { StreamChunkTimes } from './chunk-times.ts';

/** What was found of a file's segments. */
interface MeasuredFile {
  readonly playlist: PlaylistSegments;
  readonly streams: readonly StreamChunkTimes[];
  /** Whether the file's clock jumped: what follows was put behind what was before. */
  readonly jumped: boolean;
  /** Whether such a jump was back. Where a source repeats a segment, it is. */
  readonly wentBack: boolean;
  /** Index of the job's input. */
  readonly jobInput: number;
}

/** Seconds up to which a segment may be declared and hold nothing: the rest of an audio frame. */
const minDeclaredDuration = 0.1;
/** Seconds between two segments that follow each other without a hole: frames of two streams. */
const seam = 0.2;

/** A segment with what it holds. */
interface MeasuredSegment extends PlaylistSegment {
  /** Whether it holds any packet. */
  readonly hasPackets: boolean;
  /** Seconds that its longest stream plays. */
  readonly duration: number;
  /** Seconds by which its clock goes back. */
  readonly back: number;
  /** Seconds from its beginning to that of the next one, in the stream in which that is shortest. */
  readonly step: number | undefined;
}

/**
 * Compares what each segment holds with what its playlist declares. Playlists round, cut at key frames, and may count to
 * the last picture and not to the end of the audio. So up to a second or half the segment may be missing.
 *
 * @returns Seconds that the playlist declares too much, though nothing is missing: in segments that are shorter, but end
 *   where the next one begins, and in the last one.
 * @throws MillraceError `input_incomplete` for a segment that holds nothing or far too little, and for one that is
 *   repeated.
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
    if (wentBack && longest > declaredDuration + maxDifference) throw fail(`takes ${longest.toFixed(1)} s`);
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

/** Whether a file without audio shows its pictures so rarely that a segment may end long before the next picture. */
function hasLongPauses(streams: readonly StreamChunkTimes[], seconds: number): boolean {
  return (
    streams.every(({ video }) => video) &&
    streams.some(({ longestPause, averagePause }) => Math.max(longestPause, averagePause) >= seconds / 2)
  );
}

/** Seconds that a segment may be shorter than declared although nothing is missing. */
function allowedOverstatement(
  { declaredDuration, duration, step }: MeasuredSegment,
  last: boolean,
  jumped: boolean,
  isRounded: boolean,
): number {
  // Whole numbers are rounded, perhaps up.
  const roundingSeconds = isRounded ? 1 : 0;
  if (last) return Math.max(roundingSeconds, Math.min(1, declaredDuration / 4));
  // After a jump, what follows was put behind what was before, whatever lies between them.
  if (jumped) return roundingSeconds;
  return step !== undefined && step <= duration + seam ? declaredDuration : 0;
}
