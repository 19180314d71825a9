import { plainText } from '../../../parsing/plain-text.ts';
import { count, defined, fields, isFields, list, text } from '../../../parsing/values.ts';
import { parseSiteJson } from '../../reading.ts';
import { httpSiteUrl } from '../../site-urls.ts';

/** The countries where a video is available. */
interface Geoblocking {
  /** Whether {@link countries} lists the allowed or the denied countries. */
  readonly mode: 'allow' | 'deny';
  /** Upper-case ISO 3166-1 codes. An empty list with `allow` means everywhere. */
  readonly countries: readonly string[];
}

/** Fields that the site's REST interface adds to the metadata. Any of them may be absent. */
export interface VideoFacts {
  readonly title?: string;
  readonly description?: string;
  readonly createdTime?: number;
  readonly viewCount?: number;
  readonly likeCount?: number;
  readonly thumbnailUrl?: string;
  readonly owner?: { readonly id?: string; readonly name?: string; readonly handle?: string };
  readonly geoblocking?: Geoblocking;
}

/** The facts, or a note for the caller that they are missing. Neither, if the site refused to list them. */
export interface FactsResult {
  readonly facts?: VideoFacts;
  readonly notes?: readonly string[];
  /** Whether a retry may find them. */
  readonly incomplete?: boolean;
}

const MAX_DESCRIPTION = 20_000;
const MAX_COUNTRIES = 300;

/** The fields to request from the REST interface. */
export const factFields = [
  'title',
  'description',
  'created_time',
  'views_total',
  'likes_total',
  'thumbnail_1080_url',
  'owner.id',
  'owner.screenname',
  'owner.username',
  'geoblocking',
] as const;

/**
 * Reads a response of the REST interface: the facts, or no facts if it is a refusal, as for private videos. Returns
 * undefined if it has neither, for example because it is a page.
 */
export function parseFacts(body: string): FactsResult | undefined {
  const data = fields(parseSiteJson(body));
  if (isFields(data.error)) return {};
  const description = text(data.description);
  const owner = defined({
    id: text(data['owner.id']),
    name: text(data['owner.screenname']),
    handle: text(data['owner.username']),
  });
  const facts = defined({
    title: text(data.title),
    description: description === undefined ? undefined : text(plainText(description, MAX_DESCRIPTION)),
    createdTime: count(data.created_time),
    viewCount: count(data.views_total),
    likeCount: count(data.likes_total),
    thumbnailUrl: httpSiteUrl(data.thumbnail_1080_url),
    owner: Object.keys(owner).length > 0 ? owner : undefined,
    geoblocking: parseGeoblocking(data.geoblocking),
  });
  return Object.keys(facts).length > 0 ? { facts } : undefined;
}

/** Reads `["deny", "de", "fr"]`: `allow` or `deny` (default `allow`), then the countries. */
function parseGeoblocking(value: unknown): Geoblocking | undefined {
  const words = list(value)
    .slice(0, MAX_COUNTRIES)
    .flatMap((word) => text(word)?.toUpperCase() ?? []);
  if (words.length === 0) return undefined;
  return {
    mode: words[0] === 'DENY' ? 'deny' : 'allow',
    countries: words.filter((word) => /^[A-Z]{2}$/.test(word)),
  };
}
