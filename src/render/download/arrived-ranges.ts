import type { PartWatch } from './fetch-part.ts';
import type { SizeAccount } from './size-account.ts';
import { type LastingHead, type PartHead, type RangeRequest, type Source, SourceChanged } from './source.ts';

/** A file that arrives in parts. */
export interface ArrivingFile {
  readonly source: Source;
  readonly account: SizeAccount;
  /** Called with the bytes that have arrived, and with the size of the file if it is known. */
  readonly onBytes: (arrived: number, total: number | undefined) => void;
}

/** Counts the bytes of a file as its ranges arrive. */
export interface ArrivedRanges {
  /** Returns what watches the fetch of one range. `onFirstHead` receives the first head of all ranges. */
  watch(part: RangeRequest, onFirstHead?: (head: PartHead) => void): PartWatch;
}

/** What a former run has stored of a file. The other ranges must be of the same version. */
export interface ResumedBytes {
  readonly head: LastingHead;
  readonly bytes: number;
}

/**
 * Counts the bytes of a file as its ranges arrive. Its watches throw SourceChanged for a range of another version of the
 * file.
 */
export function trackArrivedRanges({ account, onBytes, source }: ArrivingFile, resumed?: ResumedBytes): ArrivedRanges {
  const positions = new Map<number, number>();
  let firstHead: Pick<PartHead, 'version' | 'total'> | undefined = resumed?.head;
  let sum = resumed?.bytes ?? 0;
  if (resumed !== undefined) {
    account.reach(resumed.head.total);
    onBytes(sum, resumed.head.total);
  }
  return {
    watch: (part, onFirstHead) => ({
      head(head: PartHead) {
        if (firstHead !== undefined && !isSameFile(firstHead, head)) {
          throw new SourceChanged(`${source.name} has a new version`);
        }
        if (head.total !== undefined) account.reach(head.total);
        const isFirst = firstHead === undefined;
        firstHead ??= head;
        if (isFirst) onFirstHead?.(head);
      },
      arrived(position: number) {
        sum += position - (positions.get(part.from) ?? part.from);
        positions.set(part.from, position);
        account.reach(sum);
        onBytes(sum, firstHead?.total);
      },
      decoded: (bytes) => account.reach(bytes),
    }),
  };
}

function isSameFile(first: Pick<PartHead, 'version' | 'total'>, head: PartHead): boolean {
  return head.version === first.version && (head.total ?? first.total) === first.total;
}
