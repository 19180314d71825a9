import { plainText } from '../../../parsing/plain-text.ts';
import { count, defined, fields, httpUrl, list, parseJson, text } from '../../../parsing/values.ts';

/** Where a video may be seen. */
export interface Geoblocking {
  /** Whether {@link countries} are those that may see it, or those that may not. */
  readonly mode: 'allow' | 'deny';
  /** Upper-case ISO 3166-1 codes; none with `allow` means everywhere. */
  readonly countries: readonly string[];
}

/** What the site's REST interface adds to the metadata; any of it may be missing. */
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

const MAX_DESCRIPTION = 20_000;
const MAX_COUNTRIES = 300;

/** The fields to ask the REST interface for. */
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

/** Reads an answer of the REST interface; undefined where it tells nothing, be it an error or no JSON. */
export function parseFacts(body: string): VideoFacts | undefined {
  const answer = fields(parseJson(body));
  const description = text(answer.description);
  const owner = defined({
    id: text(answer['owner.id']),
    name: text(answer['owner.screenname']),
    handle: text(answer['owner.username']),
  });
  const facts = defined({
    title: text(answer.title),
    description: description === undefined ? undefined : text(plainText(description, MAX_DESCRIPTION)),
    createdTime: count(answer.created_time),
    viewCount: count(answer.views_total),
    likeCount: count(answer.likes_total),
    thumbnailUrl: httpUrl(answer.thumbnail_1080_url),
    owner: Object.keys(owner).length > 0 ? owner : undefined,
    geoblocking: parseGeoblocking(answer.geoblocking),
  });
  return Object.keys(facts).length > 0 ? facts : undefined;
}

/** Reads `["deny", "de", "fr"]`: `allow` or `deny`, `allow` where neither is said, and the countries it is about. */
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
