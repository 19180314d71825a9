import { MillraceError } from '../../contract/errors.ts';
import type { HashedPart } from '../../files/hashing/hasher.ts';
import { type ArrivalSum, createArrivalSum } from './arrival-sum.ts';
import { type ByteRange, gapsIn } from './byte-ranges.ts';
import type { ByteWriter } from './file-writer.ts';
import type { StoredBytes } from './stored-bytes.ts';

/** Size and age of a run of bytes that is recorded. If the process dies, the bytes of longer ones would be lost. */
const MAX_RUN_BYTES = 1024 * 1024;
const MAX_RUN_MS = 250;

/** A range of a source that is stored, and the sum of the bytes that arrived for it. */
export interface SummedRange extends ByteRange {
  readonly sum: string;
}

/** `download_incomplete`: bytes were not stored as they arrived, for which the source is not responsible. */
export class DamagedArrival extends MillraceError {
  constructor(message: string) {
    super('download_incomplete', message);
  }
}

/**
 * Proves that the bytes of a source were stored as they arrived. Only it tells whether a download is complete. Bytes are
 * summed before any writer has them, and read back after the last write, so that a write that was lost, cut, repeated or
 * sent to another place is detected wherever it happened.
 */
export interface ArrivalProof {
  /**
   * Creates a writer, and returns it with a sum of what it is given. `create` receives the function to call with each
   * range that the writer has written, in order. The writer must be flushed before its position moves back.
   */
  writerTo(create: (onWritten: (range: ByteRange) => void) => ByteWriter): ByteWriter;
  /** The ranges that are stored so far, in order. */
  storedRanges(): SummedRange[];
  /**
   * Reads the bytes of a range back. Call it after the last write to their files.
   *
   * @param partsOf Returns where the bytes of a range are stored.
   * @param bytes Reads them.
   * @throws MillraceError `download_incomplete` if bytes of the range are missing; DamagedArrival if they differ from those
   * that arrived; an error of the file system; the signal's reason.
   */
  verify(range: ByteRange, partsOf: (range: ByteRange) => readonly HashedPart[], bytes: StoredBytes): Promise<void>;
}

/** Optional parameters of {@link createArrivalProof}. */
interface ProofOptions {
  /** Ranges that are stored already; they may not overlap. */
  readonly storedRanges?: readonly SummedRange[];
  /** Called with each range when it is stored. If absent, a writer's bytes have one sum. */
  readonly onStored?: (range: SummedRange) => void;
}

/** Bytes without a gap that a writer was given. */
interface Run {
  readonly from: number;
  end: number;
  readonly sum: ArrivalSum;
  /** When it began, in milliseconds. */
  readonly startedAt: number;
}

/**
 * Creates the proof of a source.
 *
 * @param name Name of the source in messages.
 */
export function createArrivalProof(
  name: string,
  { storedRanges: earlierRanges = [], onStored }: ProofOptions = {},
): ArrivalProof {
  /** The stored ranges of earlier processes, and those of each writer. */
  const stored: SummedRange[][] = [[...earlierRanges]];

  function writerTo(create: (onWritten: (range: ByteRange) => void) => ByteWriter): ByteWriter {
    const own: SummedRange[] = [];
    stored.push(own);
    /** Runs that are not stored, in order. Only the last one grows. */
    let runs: Run[] = [];
    let writtenEnd = 0;

    /** Records the runs that are written. */
    function settle(): void {
      for (let next = runs[0]; next !== undefined && next.end <= writtenEnd; next = runs[0]) {
        runs.shift();
        const range = { from: next.from, end: next.end, sum: next.sum.digest() };
        own.push(range);
        onStored?.(range);
      }
    }
    function runAt(position: number): Run {
      const last = runs.at(-1);
      if (last?.end === position && (onStored === undefined || !isLong(last))) return last;
      if (last !== undefined && last.end !== position) {
        settle();
        runs = [];
      }
      // Bytes from here on may have been written before. They arrive again, and may differ.
      writtenEnd = Math.min(writtenEnd, position);
      while ((own.at(-1)?.end ?? 0) > position) own.pop();
      const run = { from: position, end: position, sum: createArrivalSum(), startedAt: performance.now() };
      runs.push(run);
      return run;
    }

    const writer = create(({ end }) => {
      writtenEnd = end;
      if (onStored !== undefined) settle();
    });
    return {
      write(position, chunk) {
        if (chunk.length > 0) {
          const run = runAt(position);
          run.sum.add(chunk);
          run.end += chunk.length;
        }
        return writer.write(position, chunk);
      },
      flush: () => writer.flush(),
      async finish() {
        await writer.finish();
        settle();
      },
    };
  }

  const storedRanges = () => stored.flat().toSorted((a, b) => a.from - b.from);
  return {
    writerTo,
    storedRanges,
    async verify(range, partsOf, bytes) {
      const ranges = storedRanges();
      const [gap] = gapsIn(range, ranges);
      if (gap !== undefined) {
        throw new MillraceError(
          'download_incomplete',
          `${name} is incomplete: the bytes ${rangeText(gap)} have not arrived. Start the same job again.`,
        );
      }
      const all = { from: ranges[0]?.from ?? 0, end: ranges.at(-1)?.end ?? 0 };
      const damaged = await findDamaged(ranges, bytes.read(partsOf(all)));
      if (damaged === undefined) return;
      throw new DamagedArrival(
        `${name} is damaged: the bytes ${rangeText(damaged)} were not stored as they arrived. Start the same job again.`,
      );
    },
  };
}

/**
 * Returns the first range whose bytes differ from those that arrived.
 *
 * @param ranges In order, without gaps.
 * @param stored The bytes of all ranges.
 */
async function findDamaged(
  ranges: readonly SummedRange[],
  stored: AsyncIterable<Uint8Array>,
): Promise<SummedRange | undefined> {
  const rest = ranges.values();
  let range = rest.next().value;
  let at = range?.from ?? 0;
  let sum = createArrivalSum();
  for await (const bytes of stored) {
    for (let from = 0; range !== undefined && from < bytes.length; ) {
      const part = bytes.subarray(from, from + range.end - at);
      sum.add(part);
      from += part.length;
      at += part.length;
      if (at < range.end) continue;
      if (sum.digest() !== range.sum) return range;
      range = rest.next().value;
      sum = createArrivalSum();
    }
  }
  return range;
}

/** Whether a run is so long that it is recorded when it is written, although more bytes follow. */
function isLong({ from, end, startedAt }: Run): boolean {
  return end - from >= MAX_RUN_BYTES || performance.now() - startedAt >= MAX_RUN_MS;
}

function rangeText({ from, end }: ByteRange): string {
  return `from ${from} to ${end - 1}`;
}
