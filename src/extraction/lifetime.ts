import type { ErrorCode, MillraceError } from '../contract/errors.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import type { Extraction } from '../platforms/platform.ts';

/** An answer is good for this long. */
const ANSWER_LIFE_MS = 120_000;

/** Who gets a link has at least this long to begin with it. */
const LINK_MARGIN_MS = 60_000;

/** A refusal is good for this long: what was missing may just have been published. */
export const REFUSAL_LIFE_MS = 20_000;

/** What a site says of its content, and would say again. */
const lastingRefusals: readonly ErrorCode[] = ['not_found', 'unavailable', 'signin_required', 'age_restricted'];

/** How long an extraction may be handed out, in milliseconds from now; 0 for one that must not be kept. */
export function lifetimeOf(extraction: Extraction, now: number): number {
  if (extraction.incomplete) return 0;
  const media = extraction.contents?.flatMap(({ videos = [], audios = [], images = [] }) => [
    ...videos,
    ...audios,
    ...images,
  ]);
  const deaths = (media ?? []).flatMap(deathsOf);
  return Math.max(0, Math.min(ANSWER_LIFE_MS, Math.min(...deaths) - LINK_MARGIN_MS - now));
}

/** Whether an error is a refusal that may be handed out again. */
export function isLasting({ code, retryable }: MillraceError): boolean {
  return !retryable && lastingRefusals.includes(code);
}

/** When a link dies, as told for renders and to callers, in milliseconds since 1970. */
function deathsOf({ item, stream }: SourceMedia): number[] {
  const told = Date.parse(String(item.metadata.expires_at));
  return [stream?.expiresAt ?? Number.NaN, told].filter((time) => !Number.isNaN(time));
}
