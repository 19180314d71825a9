import { dig, fields } from '../../../parsing/values.ts';
import type { EndpointParameters } from '../../platform.ts';
import { fakeSite, type SeenRequest } from '../../testing/fake-site.ts';
import { createYoutube } from '../index.ts';
import { readTabs } from '../parse/channel-tabs.ts';
import { findRefusal } from '../parse/refusal.ts';
import { type Recording, recordings } from './recordings.ts';
import { playable } from './video-site.ts';

/** A response with a list, and the request that it answers. */
export interface ListCase {
  readonly name: string;
  readonly path: string;
  readonly parameters: EndpointParameters;
  readonly cursor?: string;
  /** The response's JSON text. */
  readonly text: string;
}

/** What a caller gets: the IDs of all entries, the tokens of further pages, and the entries that were not read. */
export interface ListOutcome {
  readonly entries: readonly string[];
  readonly tokens: number;
  readonly unread: number;
}

const channelId = 'UC16niRr50-MSBwiO3YDb3RA';
const videoId = 'dQw4w9WgXcQ';
const about = {
  onResponseReceivedEndpoints: [
    {
      appendContinuationItemsAction: {
        continuationItems: [{ aboutChannelRenderer: { metadata: { aboutChannelViewModel: {} } } }],
      },
    },
  ],
};
const playlistTabs = ['playlists', 'releases', 'podcasts'];
const videoTabs = ['videos', 'shorts', 'livestreams'];

/** Returns a case for each recorded response with a list. */
export function recordedListCases(): readonly ListCase[] {
  return recordings()
    .filter(({ status, body }) => status === 200 && findRefusal(fields(body)) === undefined)
    .flatMap((recording) => requestsOf(recording).map((request) => ({ ...request, ...responseOf(recording) })));
}

function responseOf({ name, group, body }: Recording): Pick<ListCase, 'name' | 'text'> {
  const isFragment = group === 'posts';
  const contents = isFragment ? (dig(body, 'response', 'contents') ?? [body]) : undefined;
  const response = isFragment ? { contents: { richGridRenderer: { contents } } } : body;
  return { name, text: typeof response === 'string' ? response : JSON.stringify(response) };
}

type ListRequest = Pick<ListCase, 'path' | 'parameters' | 'cursor'>;

/** Returns the requests that lead to a recorded response. */
function requestsOf({ group, body, request, endpoint }: Recording): readonly ListRequest[] {
  const { continuation } = fields(request.body);
  const page = typeof continuation === 'string' ? { cursor: continuation } : {};
  switch (group) {
    case 'search':
      return [{ path: '/search', parameters: { query: 'a' }, ...page }];
    case 'channel':
      return channelRequests(body, page);
    case 'playlist':
      if (dig(body, 'contents') === undefined && page.cursor === undefined) return [];
      return [{ path: '/playlist', parameters: { playlistId: 'PL1' }, ...page }];
    case 'mix':
      return dig(body, 'contents', 'twoColumnWatchNextResults', 'playlist') === undefined
        ? []
        : [{ path: '/playlist', parameters: { playlistId: 'RDMM' } }];
    case 'hashtag':
      return [{ path: '/hashtag', parameters: { tag: 'a' }, cursor: 'C' }];
    case 'posts':
      return [{ path: '/channel/posts', parameters: { channelId }, cursor: 'C' }];
    case 'comments':
      return [
        { path: '/video/comments', parameters: { videoId } },
        { path: '/video/comments', parameters: { videoId }, cursor: 'C' },
      ];
    case 'watch':
    case 'comments_watch':
      return endpoint === '/next' ? [{ path: '/video/details', parameters: { videoId } }] : [];
    case 'suggest':
      return [{ path: '/search/suggestions', parameters: { query: 'h' } }];
    case 'resolve_url':
      return [{ path: '/channel/id-from-handle', parameters: { handle: 'a' } }];
    default:
      return [];
  }
}

function channelRequests(body: unknown, page: { readonly cursor?: string }): readonly ListRequest[] {
  if (page.cursor !== undefined) {
    return [{ path: '/channel/videos', parameters: { channelId, contentType: 'videos' }, ...page }];
  }
  if (dig(body, 'header') === undefined) return [];
  const open = readTabs(body).find(({ selected }) => selected)?.name ?? '';
  const tab = (path: string) => ({ path, parameters: { channelId, contentType: open } });
  return [
    { path: '/channel/details', parameters: { channelId } },
    ...(videoTabs.includes(open) ? [tab('/channel/videos')] : []),
    ...(playlistTabs.includes(open) ? [tab('/channel/playlists')] : []),
  ];
}

/** Extracts a case, with a response in its place. */
export async function extractCase({ path, parameters, cursor }: ListCase, text: string): Promise<ListOutcome> {
  const endpoint = createYoutube().endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`no endpoint has the path ${path}`);
  // The drift is in one response. Others that the extraction needs are as expected.
  const reply = ({ url, body }: SeenRequest) => {
    if (url.pathname.endsWith('/player')) return { body: playable };
    const isAbout = path === '/channel/details' && fields(body).continuation !== undefined;
    return { body: isAbout ? about : text };
  };
  const { context } = fakeSite(reply, {
    requestsPart: (part) => part === 'metadata.additionalData',
    ...(cursor === undefined ? {} : { cursor }),
  });
  const { metadata, unread = {} } = await endpoint.extract(parameters, context);
  const { related, ...details } = fields(metadata.additionalData);
  const isVideo = path === '/video/details';
  const { title, ...lists } = metadata;
  const isNamed = path === '/channel/details' && title !== undefined;
  const found = isVideo ? { related } : { ...lists, additionalData: details };
  const outcome: { entries: string[]; tokens: number } = { entries: isNamed ? ['title'] : [], tokens: 0 };
  collect(found, outcome);
  return { ...outcome, unread: Object.values(unread).reduce((sum, number) => sum + number, 0) };
}

/** Collects IDs of entries, texts of suggestions and tokens. */
function collect(node: unknown, outcome: { entries: string[]; tokens: number }): void {
  if (Array.isArray(node)) {
    for (const entry of node) {
      if (typeof entry === 'string') outcome.entries.push(entry);
      else {
        const { type, id } = fields(entry);
        if (type !== undefined && id !== undefined) outcome.entries.push(String(id));
        for (const member of ['replies', 'repliesToken']) collectMember(member, fields(entry)[member], outcome);
      }
    }
    return;
  }
  for (const [name, value] of Object.entries(fields(node))) collectMember(name, value, outcome);
}

const listMembers = ['videos', 'contents', 'results', 'threads', 'related', 'searchSuggestions', 'replies'];
const parents = ['playlist', 'channel', 'hashtag', 'comments', 'additionalData', 'searchResults', 'posts'];

function collectMember(name: string, value: unknown, outcome: { entries: string[]; tokens: number }): void {
  if (name === 'nextToken' || name === 'repliesToken') outcome.tokens += value === null || value === undefined ? 0 : 1;
  else if (name === 'channelId') outcome.entries.push(String(value));
  else if (listMembers.includes(name) || parents.includes(name) || [...videoTabs, ...playlistTabs].includes(name)) {
    collect(value, outcome);
  }
}
