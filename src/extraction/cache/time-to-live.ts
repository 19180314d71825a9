import { isItemRefusal, type MillraceError } from '../../contract/errors.ts';
import type { SourceMedia } from '../../contract/source-media.ts';
import type { Extraction } from '../../platforms/platform.ts';

/** How long results are cached. */
export const RESULT_TTL_MS = 120_000;

/** Minimum remaining validity of the links in a cached result, so that a caller has time to start using them. */
const LINK_MARGIN_MS = 60_000;

/** How long refusals are cached. It is short because missing content may just have been published. */
export const REFUSAL_TTL_MS = 20_000;

/** Returns how long an extraction may be cached, in milliseconds from `now`; 0 if it must not be. */
export function timeToLive(extraction: Extraction, now: number): number {
  if (extraction.incomplete) return 0;
  const media = extraction.contents?.flatMap(({ videos = [], audios = [], images = [] }) => [
    ...videos,
    ...audios,
    ...images,
  ]);
  const expiries = (media ?? []).flatMap(expiriesOf);
  return Math.max(0, Math.min(RESULT_TTL_MS, Math.min(...expiries) - LINK_MARGIN_MS - now));
}

/** Whether an error is a refusal that the source would repeat, so that it may be cached. */
export function isCacheableRefusal(error: unknown): error is MillraceError {
  return isItemRefusal(error) && !error.retryable;
}

/** Returns the expiry times of a link, as stated for renders and for callers, in milliseconds since 1970. */
function expiriesOf({ item, stream }: SourceMedia): number[] {
  const linkExpiry = Date.parse(String(item.metadata.expires_at));
  return [stream?.expiresAt ?? Number.NaN, linkExpiry].filter((time) => !Number.isNaN(time));
}
