import { MillraceError } from '../../../contract/errors.ts';
import { type PlaylistSegments, listSegments, type PlaylistSegment } from '../tasks/playlist-segments.ts';
import type { StreamTimes } from './segment-times.ts';

/** What was found of a file's segments. */
interface SegmentFindings {
  readonly table: PlaylistSegments;
  readonly streams: readonly StreamTimes[];
  /** Whether the file's clock jumped: what follows was put behind what was before. */
  readonly jumped: boolean;
  /** Whether such a jump was back. Where a source repeats a segment, it is. */
  readonly wentBack: boolean;
  /** Index of the job's input. */
  readonly jobInput: number;
}

/** Seconds up to which a segment may be declared and hold nothing: the rest of an audio frame. */
const minDeclared = 0.1;
/** Seconds between two segments that follow each other without a hole: frames of two streams. */
const seam = 0.2;

/** A segment with what it holds. */
interface Measured extends PlaylistSegment {
  /** Whether it holds any packet. */
  readonly holds: boolean;
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
export function verifySegments(findings: SegmentFindings): number {
  const { table, streams, jumped, wentBack, jobInput } = findings;
  const segments = listSegments(table);
  const whole = segments.every(({ declaredDuration: declared }) => Number.isInteger(declared));
  let overstated = 0;
  segments.forEach((segment, at) => {
    const next = segments[at + 1];
    const measured = measure(segment, next, streams);
    const { declaredDuration: declared, holds, duration, back, step } = measured;
    const fail = (what: string) => {
      const name = `Segment ${segment.number} of ${table.inAll} of input ${jobInput + 1}`;
      const message = `${name} ${what}, but its playlist declares ${declared.toFixed(1)} s. Start the job again.`;
      return new MillraceError('input_incomplete', message);
    };
    const allowed = Math.max(1, declared / 2);
    if (!holds && declared > minDeclared) throw fail('holds no media');
    if (duration < declared - allowed && !pauses(streams, declared - duration)) {
      throw fail(`holds ${duration.toFixed(1)} s of media`);
    }
    const longest = Math.max(duration, step ?? 0);
    if (wentBack && longest > declared + allowed) throw fail(`takes ${longest.toFixed(1)} s`);
    if (back > allowed) throw fail(`repeats ${back.toFixed(1)} s of media`);
    overstated += Math.min(Math.max(0, declared - duration), forgiven(measured, next === undefined, jumped, whole));
  });
  return overstated;
}

function measure(
  { chunk, ...segment }: PlaylistSegment,
  next: PlaylistSegment | undefined,
  streams: readonly StreamTimes[],
): Measured {
  const timeRanges = streams.flatMap(({ timeRanges }) => timeRanges[chunk] ?? []);
  const steps = streams.flatMap(({ timeRanges }) => {
    const [own, following] = [timeRanges[chunk], next === undefined ? undefined : timeRanges[next.chunk]];
    return own === undefined || following === undefined ? [] : [following.first - own.first];
  });
  return {
    ...segment,
    chunk,
    holds: timeRanges.length > 0,
    duration: Math.max(0, ...timeRanges.map(({ first, end }) => end - first)),
    back: Math.max(0, ...timeRanges.map(({ back }) => back)),
    step: steps.length === 0 ? undefined : Math.min(...steps),
  };
}

/** Whether a file without audio shows its pictures so rarely that a segment may end long before the next picture. */
function pauses(streams: readonly StreamTimes[], seconds: number): boolean {
  return (
    streams.every(({ video }) => video) &&
    streams.some(({ longestPause, averagePause }) => Math.max(longestPause, averagePause) >= seconds / 2)
  );
}

/** Seconds that a segment may be shorter than declared although nothing is missing. */
function forgiven({ declaredDuration: declared, duration, step }: Measured, last: boolean, jumped: boolean, whole: boolean): number {
  // Whole numbers are rounded, perhaps up.
  const rounded = whole ? 1 : 0;
  if (last) return Math.max(rounded, Math.min(1, declared / 4));
  // After a jump, what follows was put behind what was before, whatever lies between them.
  if (jumped) return rounded;
  return step !== undefined && step <= duration + seam ? declared : 0;
}
