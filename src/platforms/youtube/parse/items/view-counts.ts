import type { CountMembers } from '../../../../parsing/numbers.ts';
import { countMembers } from '../../../../parsing/numbers.ts';

/** Number of people who have watched a video, are watching it, or are waiting for it. */
export type ViewCounts = CountMembers<'viewCount'> & CountMembers<'viewerCount'> & CountMembers<'waitingCount'>;

/** Reads "1.2K views", "500 watching" or "20 waiting". Returns undefined for any other text. */
export function readViewCounts(text: string | undefined): ViewCounts | undefined {
  if (text === undefined || text.length > 100) return undefined;
  if (/\b(?:views?|plays?)$/i.test(text)) return countMembers('viewCount', text);
  if (/\bwatching\b/i.test(text)) return countMembers('viewerCount', text);
  if (/\bwaiting\b/i.test(text)) return countMembers('waitingCount', text);
  return undefined;
}
