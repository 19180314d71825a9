import type { PartObserver } from './fetch-part.ts';
import type { SizeGuard } from './size-guard.ts';
import {
  type PartHead,
  type RangeRequest,
  type ResourceVersion,
  type Source,
  SourceChanged,
} from './source-request.ts';

/** A file that arrives in parts. */
export interface TrackedFile {
  readonly source: Source;
  readonly sizeGuard: SizeGuard;
  /** Called with the bytes that have arrived, and with the size of the file if it is known. */
  readonly onBytes: (bytes: number, total: number | undefined) => void;
}

/** Counts the bytes of a file as its ranges arrive. */
export interface ArrivedRanges {
  /**
   * Returns the observer of one range. `onFirstHead` is called if its response head is the first to arrive for the
   * file.
   */
  observe(part: RangeRequest, onFirstHead?: (head: PartHead) => void): PartObserver;
}

/** The bytes of a file that an earlier run has stored. The other ranges must belong to the same version. */
interface ResumedBytes {
  readonly version: ResourceVersion;
  readonly bytes: number;
}

/**
 * Counts the bytes of a file as its ranges arrive. Its observers throw SourceChanged for a range of another version of the
 * file.
 */
export function trackArrivedRanges(
  { sizeGuard, onBytes, source }: TrackedFile,
  resumedBytes?: ResumedBytes,
): ArrivedRanges {
  const positions = new Map<number, number>();
  let firstHead: Pick<PartHead, 'validator' | 'total'> | undefined = resumedBytes?.version;
  let receivedBytes = resumedBytes?.bytes ?? 0;
  if (resumedBytes !== undefined) {
    sizeGuard.check(resumedBytes.version.total);
    onBytes(receivedBytes, resumedBytes.version.total);
  }
  return {
    observe: (part, onFirstHead) => ({
      onHead(head: PartHead) {
        if (firstHead !== undefined && !isSameFile(firstHead, head)) {
          throw new SourceChanged(`${source.name} has a new version`);
        }
        if (head.total !== undefined) sizeGuard.check(head.total);
        const isFirst = firstHead === undefined;
        firstHead ??= head;
        if (isFirst) onFirstHead?.(head);
      },
      onPosition(position: number) {
        receivedBytes += position - (positions.get(part.from) ?? part.from);
        positions.set(part.from, position);
        sizeGuard.check(receivedBytes);
        onBytes(receivedBytes, firstHead?.total);
      },
      onDecoded: (bytes) => sizeGuard.check(bytes),
    }),
  };
}

function isSameFile(first: Pick<PartHead, 'validator' | 'total'>, head: PartHead): boolean {
  return head.validator === first.validator && (head.total ?? first.total) === first.total;
}
