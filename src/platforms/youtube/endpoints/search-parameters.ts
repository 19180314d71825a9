import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { explicitDefault, langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import type { ParametersOf } from '../../define-endpoint.ts';
import { encodeMessage, encodeParams } from '../requests/protobuf.ts';
import { queryParameter } from './parameters.ts';

/** What a search may be narrowed to. */
export type SearchKind = 'video' | 'channel' | 'playlist' | 'movie';

// Numbers of the site's filters (youtubei.js and the site's own links, 2026-07).
const kinds: Readonly<Record<SearchKind, number>> = { video: 1, channel: 2, playlist: 3, movie: 4 };
const uploadDates: Readonly<Record<string, number>> = { today: 2, week: 3, month: 4, year: 5 };
const durations: Readonly<Record<string, number>> = {
  under_three_mins: 4,
  three_to_twenty_mins: 5,
  over_twenty_mins: 2,
};
/** Each feature is a member of its own. */
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

/** Each page's token holds the query, and must still fit into a link. */
const MAX_QUERY_BYTES = 1_000;

/** The parameters of every search. */
export const searchParameters = Type.Object({
  query: queryParameter,
  uploadDate: Type.Optional(
    Type.Enum(['all', ...Object.keys(uploadDates)], {
      description: 'Only what was published today, or in the last week, month or year. Default all.',
      default: 'all',
      examples: ['year'],
    }),
  ),
  prioritize: Type.Optional(
    Type.Enum(['relevance', 'popularity'], {
      // It outdoes sortBy.
      [explicitDefault]: true,
      description: 'What comes first: relevance (default) or popularity.',
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
      description: `Only videos that have all of these, as a comma list: ${Object.keys(features).join(', ')}.`,
      examples: [['hd', 'subtitles']],
    }),
  ),
  sortBy: Type.Optional(
    Type.Enum(['relevance', 'rating', 'upload_date', 'view_count'], {
      deprecated: true,
      description:
        'Replaced by prioritize and uploadDate. view_count means prioritize=popularity; YouTube has no order by ' +
        'rating or upload_date any more (since 2026-03): relevance, rating, upload_date, view_count.',
      examples: ['view_count'],
    }),
  ),
  nextToken: Type.Optional(nextTokenParameter),
  lang: Type.Optional(langParameter),
});

/** The parameters of a search, checked. */
type SearchParameters = ParametersOf<typeof searchParameters>;

/** What narrows a search. */
export type SearchFilters = Omit<SearchParameters, 'query'>;

/**
 * The text to search for.
 *
 * @throws MillraceError `invalid_params` for one of too many bytes.
 */
export function searchQuery({ query }: Pick<SearchParameters, 'query'>): string {
  const text = query.toWellFormed();
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_QUERY_BYTES) return text;
  throw new MillraceError(
    'invalid_params',
    `query has ${bytes} bytes as UTF-8. Send a text of ${MAX_QUERY_BYTES} bytes at most.`,
    { parameter: 'query' },
  );
}

/**
 * The filters as YouTube takes them, `{[1]: order, [2]: filters, [30]: 1}`. The last member asks for results where the
 * site would put a page of help before them.
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

/** What a caller is told of a `sortBy` that does not do what it says. */
export function sortNotes({ sortBy, prioritize }: SearchFilters): readonly string[] {
  if (sortBy === undefined) return [];
  const prefix = 'sortBy is deprecated';
  if (prioritize !== undefined) return [`${prefix}: prioritize=${prioritize} was used in its place.`];
  if (sortBy === 'view_count') return [`${prefix}: view_count was taken as prioritize=popularity.`];
  if (sortBy === 'relevance') return [`${prefix}: relevance is the order without it.`];
  const instead = sortBy === 'upload_date' ? ' uploadDate narrows them to recent ones.' : '';
  return [`${prefix}: YouTube no longer sorts by ${sortBy}, these results are in order of relevance.${instead}`];
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
