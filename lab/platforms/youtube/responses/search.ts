import { topics } from '../../headlines.ts';
import { pick } from '../../seeded.ts';
import { decodeMessage, inner, numberOf } from '../protobuf.ts';
import { continuation, type Node, runs, simple } from '../shapes/basics.ts';
import { playlistLockup } from '../shapes/lockups.ts';
import { channelRenderer, movieRenderer, videoRenderer } from '../shapes/renderers.ts';
import { type Channel, channelCount, channelOf } from '../world/channels.ts';
import { playlistAt } from '../world/playlists.ts';
import { type Video, videoAt } from '../world/videos.ts';
import { type List, pageOf } from './pages.ts';

/** Search request, with the site's numbers for its filters. */
interface SearchQuery {
  readonly query: string;
  /** 1 video, 2 channel, 3 playlist, 4 movie; 0 for all types. */
  readonly type: number;
  /** 2 today, 3 week, 4 month, 5 year; 0 for any. */
  readonly upload: number;
  /** 4 under three minutes, 5 three to twenty, 2 over twenty; 0 for any. */
  readonly duration: number;
  /** Whether results must be live. */
  readonly live: boolean;
  /** Whether the most viewed results come first. */
  readonly popular: boolean;
}

const typeNumbers = { video: 1, channel: 2, playlist: 3, movie: 4 } as const;
const perPage = 20;
/** Maximum number of results of a search, and of candidates for them. */
const maxResults = 100;
const maxCandidates = 20_000;

/** Entries of kinds that the site may add in future. */
const strangers: readonly Node[] = [
  { labTeleportRenderer: { labId: 'one' } },
  { labTeleportRenderer: { labId: 'two' } },
  { lockupViewModel: { contentType: 'LOCKUP_CONTENT_TYPE_LAB_DREAM', contentId: 'lab-plain30' } },
];

const daysOf: Readonly<Record<number, number>> = { 2: 1, 3: 7, 4: 31, 5: 366 };

/** Reads the filters in `params`. */
export function readSearch(query: string, params: string | undefined): SearchQuery {
  const message = decodeMessage(params ?? '');
  const filters = inner(message, 2);
  return {
    query,
    type: numberOf(filters, 2) ?? 0,
    upload: numberOf(filters, 1) ?? 0,
    duration: numberOf(filters, 3) ?? 0,
    live: numberOf(filters, 8) === 1,
    popular: numberOf(message, 1) === 3,
  };
}

/** Returns the name of a search in its tokens. */
function searchName({ query, type, upload, duration, live, popular }: SearchQuery): string {
  return ['search', type, upload, duration, live ? 1 : 0, popular ? 1 : 0, query].join('/');
}

/** Reads the output of {@link searchName}. */
export function parseSearchName(name: string): SearchQuery | undefined {
  const parts = /^search\/(\d+)\/(\d+)\/(\d+)\/([01])\/([01])\/(.*)$/s.exec(name);
  if (parts === null) return undefined;
  const [, type, upload, duration, live, popular, query = ''] = parts;
  const numbers = { type: Number(type), upload: Number(upload), duration: Number(duration) };
  return { query, ...numbers, live: live === '1', popular: popular === '1' };
}

/** Returns the first page of a search. */
export function searchResponse(searchQuery: SearchQuery, hl: string): Node {
  const list = searchList(searchQuery, hl);
  const contents = sections(list, 0);
  return {
    estimatedResults: `${list.size === 0 ? 0 : 1000 + pick(9_000_000, 'estimate', searchQuery.query)}`,
    contents: { twoColumnSearchResultsRenderer: { primaryContents: { sectionListRenderer: { contents } } } },
    ...(searchQuery.query === topics[0] ? { refinements: [`${topics[0]} of the world`, `old ${topics[0]}`] } : {}),
  };
}

/** Returns a later page of a search. */
export function searchPage(query: SearchQuery, offset: number, hl: string): Node {
  const continuationItems = sections(searchList(query, hl), offset);
  return {
    onResponseReceivedCommands: [{ appendContinuationItemsAction: { continuationItems, targetId: 'search-feed' } }],
  };
}

function sections(list: List, offset: number): Node[] {
  let more: Node | undefined;
  const items = pageOf(list, offset, (token) => {
    more = continuation(token, 'SEARCH');
    return more;
  }).filter((item) => item !== more);
  const none = [
    {
      messageRenderer: {
        text: runs('No results found'),
        subtext: { messageSubtextRenderer: { text: simple('Try different keywords') } },
      },
    },
  ];
  const contents = list.size === 0 ? none : items;
  return [{ itemSectionRenderer: { contents } }, ...(more === undefined ? [] : [more])];
}

function searchList(searchQuery: SearchQuery, hl: string): List {
  const entries = searchQuery.query === 'labnothing' ? [] : resultsOf(searchQuery, hl);
  const results = withDrift(searchQuery.query, entries);
  return { name: searchName(searchQuery), size: results.length, perPage, at: (index) => results[index] ?? {} };
}

/** Adds entries of unknown kinds, or gives all entries an unknown kind, for the queries that document it. */
function withDrift(query: string, entries: readonly Node[]): readonly Node[] {
  if (query === 'labstrange') return [...strangers, ...entries];
  return query === 'labdrifted' ? entries.map((entry) => ({ labResultRenderer: entry.videoRenderer ?? {} })) : entries;
}

function resultsOf(searchQuery: SearchQuery, hl: string): Node[] {
  const { type } = searchQuery;
  const channels = candidates(searchQuery.query);
  if (type === typeNumbers.channel) return channels.slice(0, maxResults).map((channel) => channelRenderer(channel));
  if (type === typeNumbers.playlist) {
    return channels.slice(0, maxResults).map((channel) => playlistLockup(playlistAt(channel, 'playlists', 2)));
  }
  if (type === typeNumbers.movie) {
    return channels.slice(0, maxResults).map((channel) => movieRenderer(videoAt(channel, 'movie', 0), hl));
  }
  const videos = videosFor(searchQuery, channels).map((video) => videoRenderer(video, hl));
  if (type === typeNumbers.video || searchQuery.upload + searchQuery.duration > 0 || searchQuery.live) return videos;
  // In a search of all types, a channel comes first, and a playlist and a shelf further down.
  const [first, second, third] = channels;
  if (first === undefined || second === undefined || third === undefined) return videos;
  const playlist = playlistLockup(playlistAt(second, 'playlists', 2));
  const items = [videoRenderer(videoAt(third, 'video', 39), hl)];
  const shelf = {
    shelfRenderer: { title: simple('People also watched'), content: { verticalListRenderer: { items } } },
  };
  return [channelRenderer(first), ...videos.slice(0, 5), playlist, ...videos.slice(5, 8), shelf, ...videos.slice(8)];
}

function videosFor(query: SearchQuery, channels: readonly Channel[]): Video[] {
  const matches: Video[] = [];
  for (let index = 0; index < maxCandidates && matches.length < maxResults; index++) {
    const channel = channels[index % channels.length];
    const place = Math.floor(index / channels.length);
    if (channel === undefined || place >= 39) break;
    const kind = query.live ? 'stream' : 'video';
    const video = videoAt(channel, kind, place);
    if (place < channel.counts[kind === 'video' ? 'videos' : 'streams'] && fits(video, query)) matches.push(video);
  }
  return query.popular ? matches.toSorted((a, b) => b.views - a.views) : matches;
}

function fits({ age, seconds, live }: Video, query: SearchQuery): boolean {
  if (query.live && live !== 'on_air') return false;
  if (query.upload !== 0 && age >= (daysOf[query.upload] ?? 0)) return false;
  switch (query.duration) {
    case 4:
      return seconds < 180;
    case 5:
      return seconds >= 180 && seconds <= 1200;
    case 2:
      return seconds > 1200;
    default:
      return true;
  }
}

/**
 * Returns the channels of a search, best first: the channels of the topic that the query names, or pseudo-random ones.
 */
function candidates(query: string): Channel[] {
  const words = query.toLowerCase().split(/\W+/);
  const topic = topics.findIndex((each) => words.includes(each));
  const step = topic < 0 ? 7 : topics.length;
  const count = topic < 0 ? channelCount : Math.floor(channelCount / topics.length);
  const start = pick(count, 'search', query);
  return Array.from({ length: Math.min(count, 400) }, (_, index) => {
    const place = ((start + index) % count) * step + Math.max(0, topic);
    return channelOf(place % channelCount);
  }).filter(({ counts, refusal }) => counts.videos > 0 && refusal === undefined);
}
