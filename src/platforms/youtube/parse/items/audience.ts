import type { Counted } from '../../../../parsing/numbers.ts';
import { counted } from '../../../../parsing/numbers.ts';

/** How many people have seen a video, see it now, or wait for it. */
export type Audience = Counted<'viewCount'> & Counted<'viewerCount'> & Counted<'waitingCount'>;

/** Reads "1.2K views", "500 watching" or "20 waiting"; undefined for any other text. */
export function readAudience(text: string | undefined): Audience | undefined {
  if (text === undefined || text.length > 100) return undefined;
  if (/\b(?:views?|plays?)$/i.test(text)) return counted('viewCount', text);
  if (/\bwatching\b/i.test(text)) return counted('viewerCount', text);
  if (/\bwaiting\b/i.test(text)) return counted('waitingCount', text);
  return undefined;
}
