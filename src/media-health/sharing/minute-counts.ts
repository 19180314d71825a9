import type { CountedFetches } from '../local-media-health.ts';
import { addMediaTally, emptyMediaTally } from '../media-tally.ts';

const MINUTE_MS = 60_000;

/** The fetches of one node in one minute, of one profile through one exit. */
export interface MinuteCounts extends CountedFetches {
  /** Minutes since 1970. */
  readonly minute: number;
}

/** Returns a text that identifies the profile, the exit and the minute of counts. */
export function minuteKeyOf({ minute, place, profile }: Omit<MinuteCounts, 'at' | 'tally'>): string {
  return `${minute} ${place.platform} ${place.exit} ${profile}`;
}

/** Adds fetches to the counts of their minute, if there are any. */
export function addToMinute(existing: MinuteCounts | undefined, fetches: CountedFetches): MinuteCounts {
  const tally = { ...(existing?.tally ?? emptyMediaTally()) };
  addMediaTally(tally, fetches.tally);
  return { ...existing, ...fetches, tally, minute: minuteOf(fetches.at) };
}

/** Returns the minute of a time. */
export function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS);
}

/** Returns a time in a minute. */
export function timeOf(minute: number): number {
  return minute * MINUTE_MS;
}
