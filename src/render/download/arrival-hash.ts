import type { HashedBytes, HashedPart, Hasher, HashStream } from '../../files/hashing/hasher.ts';
import { type ByteRange, mergeRanges } from './byte-ranges.ts';

/** Large enough that messages to the hash thread cost nothing. Smaller files are hashed after the download. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** The hash of an input that was started during the download. */
export interface StartedHash {
  /** May reject; the input must then be hashed from the beginning. */
  readonly hashed: Promise<HashedBytes>;
  cancel(): void;
}

/** Hashes an input while it arrives, as far as it is complete from the start. */
export interface ArrivalHash {
  /** Call it after every write to the input, with the bytes that were written. */
  written(range: ByteRange): void;
  /** Ends the input after its last write. Undefined if the input must be hashed from the beginning. */
  finish(size: number): StartedHash | undefined;
  cancel(): void;
}

/** An input whose bytes arrive in any order. */
interface ArrivingInput {
  /** Returns where a range of the input is. */
  partsOf(range: ByteRange): HashedPart[];
  /** Ranges that are there already. */
  readonly storedRanges: readonly ByteRange[];
}

/**
 * Creates the hash of an input. It ends if bytes that were hashed are written again, because they may differ.
 *
 * @param signal Ends the hash when it is aborted.
 */
export function createArrivalHash(
  hasher: Pick<Hasher, 'open'>,
  signal: AbortSignal,
  { partsOf, storedRanges }: ArrivingInput,
): ArrivalHash {
  /** Written ranges; the first starts at 0 as soon as the start of the input is there. */
  let ranges = mergeRanges(storedRanges);
  let hashedEnd = 0;
  let stream: HashStream | undefined;
  let isEnded = false;

  function cancel(): void {
    isEnded = true;
    stream?.cancel();
  }

  function hashUpTo(end: number): void {
    stream ??= hasher.open(signal);
    stream.add(partsOf({ from: hashedEnd, end }));
    hashedEnd = end;
  }

  const completeEnd = () => (ranges[0]?.from === 0 ? ranges[0].end : 0);

  return {
    written(range) {
      if (isEnded) return;
      if (range.from < hashedEnd) return cancel();
      ranges = mergeRanges([...ranges, range]);
      if (completeEnd() - hashedEnd >= BATCH_BYTES) hashUpTo(completeEnd());
    },
    finish(size) {
      const isComplete = ranges.length === 1 && completeEnd() === size;
      if (isEnded || stream === undefined || !isComplete) {
        cancel();
        return undefined;
      }
      if (hashedEnd < size) hashUpTo(size);
      isEnded = true;
      return { hashed: stream.finish(), cancel: stream.cancel };
    },
    cancel,
  };
}
