import { MillraceError } from '../../../contract/errors.ts';
import type { ByteSource } from '../binary/byte-source.ts';
import { decline } from '../binary/fast-path-declined.ts';
import { mp4DeclaredExtent } from './declared-size.ts';
import type { Movie } from './movie-reader.ts';
import type { TrackTiming } from './track-timing.ts';

/**
 * Refuses a file that ends inside one of its boxes.
 *
 * @throws MillraceError `input_incomplete`.
 */
export function refuseTruncated(source: ByteSource, name: string): void {
  const truncation = mp4DeclaredExtent(source)?.truncationReason;
  if (truncation !== undefined) throw incomplete(`${name} is cut short: ${truncation}. Start the job again.`);
}

/**
 * Refuses a file that has fewer bytes than its index of fragments tells.
 *
 * @throws MillraceError `input_incomplete`.
 */
export function refuseMissingFragments({ index }: Movie, size: number, name: string): void {
  // An index of other indexes speaks of bytes that may be in other files.
  const end = index?.flat === true ? (index.references.at(-1)?.to ?? 0) : 0;
  if (end <= size) return;
  throw incomplete(
    `${name} is cut short: its index tells ${end} bytes, and the file has ${size}. Start the job again.`,
  );
}

/** A length that something promised, and what it is if it does not come true. */
interface DeclaredDuration {
  /** Seconds. */
  readonly seconds: number;
  readonly why: string;
}

/** What a fragmented file promises of the length of all its fragments. */
export function declaredDurationsOf({
  declaredDuration,
  index,
}: Pick<Movie, 'declaredDuration' | 'index'>): DeclaredDuration[] {
  const indexedDuration = index?.flat === true ? index.references.reduce((sum, { duration }) => sum + duration, 0) : 0;
  return [
    { seconds: indexedDuration, why: 'its index tells more' },
    { seconds: declaredDuration ?? 0, why: 'its header promises more' },
  ];
}

/**
 * Holds what an input brings against what was promised.
 *
 * @param timings - when its tracks play; with `part`, it has others that nobody reads, so it may well be whole.
 * @throws MillraceError `input_incomplete`, or FastPathDeclined for a part.
 */
export function refuseShortDuration(
  name: string,
  timings: readonly TrackTiming[],
  declaredDurations: readonly DeclaredDuration[],
  part: boolean,
): void {
  const first = Math.min(...timings.map(({ delay }) => delay));
  const playedSeconds = Math.max(...timings.map(({ delay, duration }) => delay - first + duration));
  const unmetDuration = declaredDurations.find(({ seconds }) => playedSeconds < seconds - tolerance(seconds));
  if (unmetDuration === undefined) return;
  const short = `${name} ends at ${playedSeconds.toFixed(1)} s of ${unmetDuration.seconds.toFixed(1)} s: ${unmetDuration.why}`;
  if (part) decline(short);
  throw incomplete(`${short}. Start the job again.`);
}

/** Seconds that may be missing at the end: containers round, and the last frame's length is often a guess. */
function tolerance(declaredDuration: number): number {
  return Math.max(1, declaredDuration * 0.02);
}

function incomplete(message: string): MillraceError {
  return new MillraceError('input_incomplete', message);
}
