import type { ByteSource } from '../binary/byte-source.ts';
import { decline } from '../binary/fast-path-declined.ts';
import { incompleteInputError } from '../errors/incomplete-input.ts';
import { mp4DeclaredExtent } from './declared-size.ts';
import type { Movie } from './movie-reader.ts';
import type { TrackTiming } from './track-timing.ts';

/** A file of an input in messages. */
interface NamedFile {
  readonly name: string;
  /** Whether its source stated its size, and all of its bytes have arrived. */
  readonly hasStatedSize: boolean;
}

/** Returns the file of a job's input, given by its index. */
export function namedFile(input: number, hasStatedSize: boolean | undefined): NamedFile {
  return { name: `Input ${input + 1}`, hasStatedSize: hasStatedSize === true };
}

/**
 * Refuses a file that ends inside one of its boxes.
 *
 * @throws MillraceError `input_incomplete`.
 */
export function refuseTruncated(source: ByteSource, { name, hasStatedSize }: NamedFile): void {
  const truncation = mp4DeclaredExtent(source)?.truncationReason;
  if (truncation !== undefined) throw incompleteInputError(`${name} is cut short: ${truncation}`, hasStatedSize);
}

/**
 * Refuses a file that is smaller than the index of its fragments declares.
 *
 * @throws MillraceError `input_incomplete`.
 */
export function refuseMissingFragments({ index }: Movie, size: number, { name, hasStatedSize }: NamedFile): void {
  // An index of other indexes may refer to bytes in other files.
  const end = index?.flat === true ? (index.references.at(-1)?.to ?? 0) : 0;
  if (end <= size) return;
  throw incompleteInputError(
    `${name} is cut short: its index declares ${end} bytes, but the file has ${size}`,
    hasStatedSize,
  );
}

/** A declared duration, and the error text for an input that is shorter. */
interface DeclaredDuration {
  /** The declared duration in seconds. */
  readonly seconds: number;
  readonly why: string;
}

/** Returns the durations that a fragmented file declares for all its fragments. */
export function declaredDurationsOf({
  declaredDuration,
  index,
}: Pick<Movie, 'declaredDuration' | 'index'>): DeclaredDuration[] {
  const indexedDuration = index?.flat === true ? index.references.reduce((sum, { duration }) => sum + duration, 0) : 0;
  return [
    { seconds: indexedDuration, why: 'its index declares a longer duration' },
    { seconds: declaredDuration ?? 0, why: 'its header declares a longer duration' },
  ];
}

/**
 * Compares the duration of an input with its declared durations.
 *
 * @param timings - when its tracks play. With `part`, these are only some of the input's tracks, so the input may be
 * complete although they are shorter.
 * @throws MillraceError `input_incomplete`, or FastPathDeclined for a part.
 */
export function refuseShortDuration(
  { name, hasStatedSize }: NamedFile,
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
  throw incompleteInputError(short, hasStatedSize);
}

/**
 * Returns how many seconds may be missing at the end. Containers round, and the duration of the last frame is often a
 * guess.
 */
function tolerance(declaredDuration: number): number {
  return Math.max(1, declaredDuration * 0.02);
}
