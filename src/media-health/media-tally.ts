import type { MediaFetch } from '../contract/media-fetch.ts';

/**
 * Size of a fetch that shows that a profile's media is not cut. Media links that want a token work for the first minute
 * or about the first MiB (YouTube, 2026-08).
 */
const LONG_BYTES = 1.5 * 1024 * 1024;

/** The counts of a {@link MediaTally}. `arrivedLong`: those that arrived and were large enough to be cut otherwise. */
export const mediaCounts = ['arrived', 'arrivedLong', 'refused', 'cut', 'expired', 'failed'] as const;

/** Numbers of media fetches by outcome. */
export type MediaTally = Record<(typeof mediaCounts)[number], number>;

/** Creates counts without any fetch. */
export function emptyMediaTally(): MediaTally {
  return { arrived: 0, arrivedLong: 0, refused: 0, cut: 0, expired: 0, failed: 0 };
}

/** Returns the counts of a single fetch. */
export function tallyOf({ outcome, bytes }: MediaFetch): MediaTally {
  const arrivedLong = outcome === 'arrived' && bytes >= LONG_BYTES ? 1 : 0;
  // A link that died is as little a sign of its profile's health as a failure of the network.
  return { ...emptyMediaTally(), arrivedLong, [outcome === 'died' ? 'failed' : outcome]: 1 };
}

/** Adds counts to other counts. */
export function addMediaTally(tally: MediaTally, other: MediaTally): void {
  for (const count of mediaCounts) tally[count] += other[count];
}

/** Adds up counts. */
export function sumMediaTallies(tallies: readonly MediaTally[]): MediaTally {
  const total = emptyMediaTally();
  for (const tally of tallies) addMediaTally(total, tally);
  return total;
}
