import { dropOldest } from '../drop-oldest.ts';
import type { CountedFetches, PlacedMark } from '../local-media-health.ts';
import { addToMinute, type MinuteCounts, minuteKeyOf, minuteOf } from './minute-counts.ts';

/** Maximum numbers of counts and marks that wait to be written. The oldest ones are dropped. */
const MAX_COUNTS = 1_000;
const MAX_MARKS = 1_000;

/** Changes to write to the database. */
export interface Batch {
  /** All fetches of their minutes, so that a repeated write has no further effect. */
  readonly counts: readonly MinuteCounts[];
  readonly marks: readonly PlacedMark[];
}

/** Collects changes until they are written. */
export interface Outbox {
  addFetches(fetches: CountedFetches): void;
  addMark(mark: PlacedMark): void;
  /** Returns the changes, which then count as written. */
  take(): Batch;
  /** Takes back changes that may not have been written. Later changes take precedence. */
  putBack(batch: Batch): void;
}

/** Creates an empty outbox. */
export function createOutbox(): Outbox {
  /** The counts of the current minute, and changed ones of earlier minutes. */
  const counts = new Map<string, MinuteCounts>();
  const changed = new Set<string>();
  const marks = new Map<string, PlacedMark>();

  function setCounts(key: string, value: MinuteCounts): void {
    counts.set(key, value);
    changed.add(key);
    const dropped = dropOldest(counts, MAX_COUNTS);
    if (dropped !== undefined) changed.delete(dropped);
  }

  function setMark(key: string, mark: PlacedMark): void {
    marks.set(key, mark);
    dropOldest(marks, MAX_MARKS);
  }

  return {
    addFetches(fetches) {
      const key = minuteKeyOf({ ...fetches, minute: minuteOf(fetches.at) });
      setCounts(key, addToMinute(counts.get(key), fetches));
    },
    addMark: (mark) => setMark(markKeyOf(mark), mark),
    take() {
      const batch = { counts: [...changed].flatMap((key) => counts.get(key) ?? []), marks: [...marks.values()] };
      changed.clear();
      marks.clear();
      const current = minuteOf(Date.now());
      for (const [key, { minute }] of counts) if (minute < current) counts.delete(key);
      return batch;
    },
    putBack(batch) {
      for (const each of batch.counts) {
        const key = minuteKeyOf(each);
        setCounts(key, counts.get(key) ?? each);
      }
      for (const mark of batch.marks) {
        const key = markKeyOf(mark);
        if (!marks.has(key)) setMark(key, mark);
      }
    },
  };
}

function markKeyOf({ place, profile, item }: PlacedMark): string {
  return `${place.platform} ${place.exit} ${profile} ${item}`;
}
