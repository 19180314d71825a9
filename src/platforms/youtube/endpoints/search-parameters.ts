import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { explicitDefault, langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import type { ParametersOf } from '../../define-endpoint.ts';
import { encodeMessage, encodeParams } from '../requests/protobuf.ts';
import { queryParameter } from './parameters.ts';

/** The type of results to which a search can be limited. */
export type SearchKind = 'video' | 'channel' | 'playlist' | 'movie';

// IDs of the site's filters (youtubei.js and the site's own links, 2026-07).
const kinds: Readonly<Record<SearchKind, number>> = { video: 1, channel: 2, playlist: 3, movie: 4 };
const uploadDates: Readonly<Record<string, number>> = { today: 2, week: 3, month: 4, year: 5 };
const durations: Readonly<Record<string, number>> = {
  under_three_mins: 4,
  three_to_twenty_mins: 5,
  over_twenty_mins: 2,
};
/** IDs of the features, each of which is a separate member. */
const features: Readonly<Record<string, number>> = {
  '360': 15,
  '3d': 7,
  '4k': 14,
  creative_commons: 6,
  hd: 4,
  hdr: 25,
  live: 8,
  location: 23,
  purchased: 9,
  subtitles: 5,
  vr180: 26,
};
const POPULARITY = 3;

/** Maximum length of a query. Each page's token contains the query and must still fit into a link. */
const MAX_QUERY_BYTES = 1_000;

/** The parameters of every search. */
export const searchParameters = Type.Object({
  query: Type.String({
    ...queryParameter,
    description: `Text to search for, at most ${MAX_QUERY_BYTES} bytes as UTF-8.`,
  }),
  uploadDate: Type.Optional(
    Type.Enum(['all', ...Object.keys(uploadDates)], {
      description: 'Only results published today, or in the last week, month or year. The default is all.',
      default: 'all',
      examples: ['year'],
    }),
  ),
  prioritize: Type.Optional(
    Type.Enum(['relevance', 'popularity'], {
      // If the caller sends the default, it still takes precedence over sortBy.
      [explicitDefault]: true,
      description: 'Order of the results: relevance (default) or popularity.',
      default: 'relevance',
      examples: ['popularity'],
    }),
  ),
  duration: Type.Optional(
    Type.Enum(['all', ...Object.keys(durations)], {
      description:
        'Only videos of this length: all (default), under_three_mins, three_to_twenty_mins, over_twenty_mins.',
      default: 'all',
      examples: ['under_three_mins'],
    }),
  ),
  features: Type.Optional(
    Type.Array(Type.Enum(Object.keys(features)), {
      uniqueItems: true,
      description: `Only videos with all of these features, as a comma-separated list: ${Object.keys(features).join(', ')}.`,
      examples: [['hd', 'subtitles']],
    }),
  ),
  sortBy: Type.Optional(
    Type.Enum(['relevance', 'rating', 'upload_date', 'view_count'], {
      deprecated: true,
      description:
        'Deprecated; use prioritize and uploadDate. view_count means prioritize=popularity. YouTube no longer supports ' +
        'the orders rating and upload_date (since 2026-03). Values: relevance, rating, upload_date, view_count.',
      examples: ['view_count'],
    }),
  ),
  nextToken: Type.Optional(nextTokenParameter),
  lang: Type.Optional(langParameter),
});

/** The validated parameters of a search. */
type SearchParameters = ParametersOf<typeof searchParameters>;

/** The filters of a search. */
export type SearchFilters = Omit<SearchParameters, 'query'>;

/**
 * Returns the text to search for.
 *
 * @throws MillraceError `invalid_params` if it has too many bytes.
 */
export function searchQuery({ query }: Pick<SearchParameters, 'query'>): string {
  const text = query.toWellFormed();
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_QUERY_BYTES) return text;
  throw new MillraceError(
    'invalid_params',
    `query has ${bytes} bytes as UTF-8. Send at most ${MAX_QUERY_BYTES} bytes.`,
    { parameter: 'query' },
  );
}

/**
 * Encodes the filters for YouTube, `{[1]: order, [2]: filters, [30]: 1}`. The last member requests results even when
 * the site would display a help page first.
 */
export function searchParams(kind: SearchKind | undefined, parameters: SearchFilters): string {
  const { uploadDate, duration } = parameters;
  const filters = encodeMessage(
    [1, uploadDate === undefined ? undefined : uploadDates[uploadDate]],
    [2, kind === undefined ? undefined : kinds[kind]],
    [3, duration === undefined ? undefined : durations[duration]],
    ...featureMembers(parameters),
  );
  return encodeParams(
    [1, isByPopularity(parameters) ? POPULARITY : undefined],
    [2, filters.length === 0 ? undefined : filters],
    [30, 1],
  );
}

/** Returns notes for the caller about a `sortBy` that does not have its literal effect. */
export function sortNotes({ sortBy, prioritize }: SearchFilters): readonly string[] {
  if (sortBy === undefined) return [];
  const prefix = 'sortBy is deprecated';
  if (prioritize !== undefined) return [`${prefix}: prioritize=${prioritize} was used instead.`];
  if (sortBy === 'view_count') return [`${prefix}: view_count was treated as prioritize=popularity.`];
  if (sortBy === 'relevance') return [`${prefix}: relevance is already the default order.`];
  const instead = sortBy === 'upload_date' ? ' To get recent ones, use uploadDate.' : '';
  return [`${prefix}: YouTube no longer sorts by ${sortBy}, so these results are in order of relevance.${instead}`];
}

function isByPopularity({ prioritize, sortBy }: SearchFilters): boolean {
  return prioritize === 'popularity' || (prioritize === undefined && sortBy === 'view_count');
}

function featureMembers({ features: names = [] }: SearchFilters): readonly (readonly [number, number])[] {
  return Object.entries(features)
    .filter(([name]) => names.includes(name))
    .map(([, number]) => [number, 1] as const)
    .toSorted(([a], [b]) => a - b);
}
