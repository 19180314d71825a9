import { MillraceError } from '../../contract/errors.ts';
import { type ByteRange, gapsIn, mergeRanges } from './byte-ranges.ts';

/** The bytes of a source that are stored. Only they tell whether a download is complete. */
export interface WrittenRanges {
  /** Call it after every write. */
  add(range: ByteRange): void;
  /**
   * Call it at the end of a download.
   *
   * @throws MillraceError `download_incomplete` if some bytes of the range are missing.
   */
  expect(range: ByteRange): void;
}

/**
 * Creates the set of a source's written bytes.
 *
 * @param name Name of the source in messages.
 * @param storedRanges Bytes that are there already.
 */
export function createWrittenRanges(name: string, storedRanges: readonly ByteRange[] = []): WrittenRanges {
  let ranges = mergeRanges(storedRanges);
  return {
    add(range) {
      ranges = mergeRanges([...ranges, range]);
    },
    expect(range) {
      const [gap] = gapsIn(range, ranges);
      if (gap === undefined) return;
      throw new MillraceError(
        'download_incomplete',
        `${name} is incomplete: the bytes from ${gap.from} to ${gap.end - 1} have not arrived. Start the same job again.`,
      );
    },
  };
}
