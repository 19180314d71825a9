import type { PartWatch } from './fetch-part.ts';
import type { SizeAccount } from './size-account.ts';
import { type ByteRange, type LastingHead, type PartHead, type Source, SourceChanged } from './source.ts';

/** A file that arrives in parts. */
export interface ArrivingFile {
  readonly source: Source;
  readonly account: SizeAccount;
  /** Hears how many bytes of how many have arrived; the second number is unknown for some sources. */
  readonly onBytes: (arrived: number, total: number | undefined) => void;
}

/** Keeps count of a file's bytes as its parts arrive. */
export interface Arrivals {
  /** What watches one part; `onFirstHead` hears the first head of all parts. */
  watch(part: ByteRange, onFirstHead?: (head: PartHead) => void): PartWatch;
}

/** What is there of a file from before, whose other parts are to be of the same version. */
export interface FormerArrivals {
  readonly head: LastingHead;
  readonly bytes: number;
}

/** Keeps count of what has arrived, and sees that all parts are of one and the same file. */
export function trackArrivals({ account, onBytes, source }: ArrivingFile, former?: FormerArrivals): Arrivals {
  const positions = new Map<number, number>();
  let known: Pick<PartHead, 'version' | 'total'> | undefined = former?.head;
  let sum = former?.bytes ?? 0;
  if (former !== undefined) {
    account.reach(former.head.total);
    onBytes(sum, former.head.total);
  }
  return {
    watch: (part, onFirstHead) => ({
      head(head: PartHead) {
        if (known !== undefined && !sameFile(known, head)) throw new SourceChanged(`${source.name} has a new version`);
        if (head.total !== undefined) account.reach(head.total);
        const first = known === undefined;
        known ??= head;
        if (first) onFirstHead?.(head);
      },
      arrived(position: number) {
        sum += position - (positions.get(part.from) ?? part.from);
        positions.set(part.from, position);
        account.reach(sum);
        onBytes(sum, known?.total);
      },
      decoded: (bytes) => account.reach(bytes),
    }),
  };
}

function sameFile(known: Pick<PartHead, 'version' | 'total'>, head: PartHead): boolean {
  return head.version === known.version && (head.total ?? known.total) === known.total;
}
