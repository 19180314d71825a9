import { itemKeyOf, onlyProfile } from '../contract/media-origin.ts';
import type { FrequentRefusals, MediaHealth } from '../media-health/media-health.ts';
import type { SourceQuery } from './request/source-query.ts';
import type { SourceExtraction } from './source/extract.ts';

/** Whether a result was fetched before media of its client profile was refused, so that another profile is better. */
export type HasRefusedMedia = (query: SourceQuery, extraction: SourceExtraction, fetchedAt: number) => boolean;

/** Creates the check of cached results. It is fast, because every cache hit needs it. */
export function createRefusalCheck(mediaHealth: Pick<MediaHealth, 'refusedAt'>): HasRefusedMedia {
  const itemKeys = new WeakMap<SourceExtraction, string>();

  function itemKey(extraction: SourceExtraction, { platform, endpoint, parameters, item }: SourceQuery): string {
    const existing = itemKeys.get(extraction);
    if (existing !== undefined) return existing;
    const key = itemKeyOf({ platform, endpoint: endpoint.path, parameters, item });
    itemKeys.set(extraction, key);
    return key;
  }

  return (query, extraction, fetchedAt) => {
    const { profile, exit } = extraction;
    // Without other profiles, a new extraction would return the same links.
    if (profile === undefined) return false;
    const place = { platform: query.platform, exit };
    const refusedAt = mediaHealth.refusedAt(place, itemKey(extraction, query), profile);
    return refusedAt !== undefined && refusedAt >= fetchedAt;
  };
}

/** Notes by what they state, so that cache hits share them. */
const notes = new WeakMap<FrequentRefusals, string>();

/** Returns the note for callers whose media links come from a profile whose media is often refused at present. */
export function refusedMediaNote(
  mediaHealth: Pick<MediaHealth, 'refusalsOf'>,
  platform: string,
  { contents = [], exit, profile = onlyProfile }: SourceExtraction,
): string | undefined {
  if (contents.length === 0) return undefined;
  const refusals = mediaHealth.refusalsOf({ platform, exit }, profile);
  if (refusals === undefined) return undefined;
  const note = notes.get(refusals) ?? noteOf(platform, refusals);
  notes.set(refusals, note);
  return note;
}

function noteOf(platform: string, { kind, rate, since, country }: FrequentRefusals): string {
  const place = country === undefined ? '' : ' from this country';
  const refused = kind === 'cut' ? 'refused partway' : 'refused';
  const time = new Date(since).toISOString().slice(11, 16);
  const percentage = Math.round(100 * rate);
  return `Media links of ${platform}${place} were ${refused} for ${percentage} % of fetches since ${time} UTC.`;
}
