import { dropOldest } from '../drop-oldest.ts';
import type { CountedFetches } from '../local-media-health.ts';
import { type MediaTally, mediaCounts } from '../media-tally.ts';
import { type MinuteCounts, minuteKeyOf } from './minute-counts.ts';

/** Maximum number of rows that are remembered. The oldest one is forgotten first. */
const MAX_ROWS = 10_000;

/** Tells what is new in counts of other nodes that are read repeatedly. */
export interface OthersCounts {
  /** Returns the fetches that the counts contain in addition to those that were read before. */
  newIn(counts: MinuteCounts & { readonly node: string }): CountedFetches | undefined;
}

/** Creates the memory of what was read. */
export function createOthersCounts(): OthersCounts {
  const known = new Map<string, MediaTally>();
  return {
    newIn({ node, ...counts }) {
      const key = `${node} ${minuteKeyOf(counts)}`;
      const before = known.get(key);
      known.set(key, counts.tally);
      dropOldest(known, MAX_ROWS);
      if (before === undefined) return counts;
      const tally = { ...counts.tally };
      for (const count of mediaCounts) tally[count] = Math.max(0, tally[count] - before[count]);
      return mediaCounts.some((count) => tally[count] > 0) ? { ...counts, tally } : undefined;
    },
  };
}
