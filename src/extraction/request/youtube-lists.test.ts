import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../platforms/platform.ts';
import { fakeSite } from '../../platforms/testing/fake-site.ts';
import { tabCursor } from '../../platforms/youtube/find/uploads-playlist.ts';
import { createYoutube } from '../../platforms/youtube/index.ts';
import { readPage } from '../../platforms/youtube/parse/item-list.ts';
import { recordings, recordingsOf } from '../../platforms/youtube/testing/recordings.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { openPages } from './page-tokens.ts';
import { type QueryParameters, readParameters } from './read-parameters.ts';

const sealer = createSealer(['a secret of the tests']);
const channelId = 'UC16niRr50-MSBwiO3YDb3RA';

function endpointAt(path: string): Endpoint {
  const endpoint = createYoutube().endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${path}`);
  return endpoint;
}

/** Sends a request as the routes do, to a site where every page has a next one. */
async function request(path: string, query: QueryParameters) {
  const endpoint = endpointAt(path);
  const parameters = readParameters(endpoint.parameters, query);
  const pages = openPages(sealer, `p1${path}`, parameters);
  const next = { continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token: 'NEXT' } } } };
  const tab = {
    selected: true,
    endpoint: { commandMetadata: { webCommandMetadata: { url: '/@a/videos' } } },
    content: { richGridRenderer: { contents: [next] } },
  };
  const body = {
    estimatedResults: '1',
    contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: tab }] } },
    metadata: {},
  };
  const { context, requests } = fakeSite(() => ({ body }));
  const { metadata } = await endpoint.extract(parameters, { ...context, pages });
  return { requests, token: /"nextToken":"([^"]+)"/.exec(JSON.stringify(metadata))?.[1] };
}

const lists: readonly (readonly [string, QueryParameters, QueryParameters])[] = [
  ['/search', { query: 'a', features: 'hd,4k' }, { query: 'b', features: 'hd,4k' }],
  ['/search/video', { query: 'a' }, { query: 'a', uploadDate: 'week' }],
  ['/search/channel', { query: 'a' }, { query: 'a', lang: 'de' }],
  ['/search/playlist', { query: 'a' }, { query: 'a', sortBy: 'view_count' }],
  ['/search/movie', { query: 'a' }, { query: 'a', prioritize: 'popularity' }],
  ['/channel/videos', { channelId, contentType: 'videos' }, { channelId, contentType: 'shorts' }],
  ['/hashtag', { tag: 'a' }, { tag: 'b' }],
  ['/playlist', { playlistId: 'PL1' }, { playlistId: 'PL2' }],
];

describe('a page token', () => {
  it.each(lists)('of %s returns the next page and is rejected elsewhere', async (path, query, other) => {
    const { token } = await request(path, query);
    expect(token).toBeDefined();
    const next = await request(path, { ...query, nextToken: token });
    expect(next.requests[0]?.body).toMatchObject({ continuation: 'NEXT' });
    const foreign = { code: 'invalid_token', status: 400, parameter: 'nextToken' };
    await expect(request(path, { ...other, nextToken: token })).rejects.toMatchObject(foreign);
    await expect(request(path, { ...query, nextToken: `AAAA${token}` })).rejects.toMatchObject(foreign);
    await expect(request(path, { ...query, nextToken: 'NEXT' })).rejects.toMatchObject(foreign);
    const [elsewhere] = lists.filter(([another]) => another !== path);
    await expect(request(elsewhere?.[0] ?? '', { ...elsewhere?.[1], nextToken: token })).rejects.toMatchObject(foreign);
  });

  it.skipIf(recordings().length === 0)('can contain every recorded cursor', () => {
    for (const { name, group, body } of recordingsOf('search', 'channel', 'playlist', 'hashtag')) {
      const { items, continuation } = readPage(body);
      const type = name.includes('shorts') ? 'shorts' : 'videos';
      const cursor = group === 'channel' ? tabCursor(continuation, type, channelId, items) : continuation;
      const token = openPages(sealer, 'p1/search', {}).token(cursor, {});
      expect(token === null, name).toBe(continuation === undefined);
    }
  });
});

describe('list parameters', () => {
  it.each<[string, QueryParameters, string]>([
    ['/search', { query: 'a', uploadDate: 'last_hour' }, 'uploadDate'],
    ['/search', { query: 'a', prioritize: 'rating' }, 'prioritize'],
    ['/search', { query: 'a', duration: 'short' }, 'duration'],
    ['/search', { query: 'a', features: 'hd,8k' }, 'features'],
    ['/search', { query: 'a', sortBy: 'date' }, 'sortBy'],
    ['/search', { query: 'x'.repeat(10_240) }, 'query'],
    ['/search/video', { query: '🐈'.repeat(1_000) }, 'query'],
    ['/channel/videos', { channelId, contentType: 'posts' }, 'contentType'],
    ['/channel/playlists', { channelId, contentType: 'videos' }, 'contentType'],
    ['/channel/details', { channelId: '@handle' }, 'channelId'],
    ['/hashtag', { tag: 'two words' }, 'tag'],
    ['/playlist', { playlistId: 'a/b' }, 'playlistId'],
  ])('of %s reject %j', async (path, query, parameter) => {
    await expect(request(path, query)).rejects.toMatchObject({ code: 'invalid_params', status: 400, parameter });
  });

  it.each<[string, QueryParameters, string]>([
    ['/search', {}, 'query'],
    ['/search/movie', { query: ' ' }, 'query'],
    ['/channel/videos', { channelId }, 'contentType'],
    ['/channel/details', {}, 'channelId'],
    ['/hashtag', {}, 'tag'],
  ])('of %s are required: %j', async (path, query, parameter) => {
    await expect(request(path, query)).rejects.toMatchObject({ code: 'params_not_found', status: 400, parameter });
  });

  it('accept duplicates in a comma-separated list', async () => {
    const once = await request('/search', { query: 'a', features: '360,hd' });
    const twice = await request('/search', { query: 'a', features: 'hd,360, hd,,360' });
    expect(twice.requests[0]?.body).toEqual(once.requests[0]?.body);
  });

  it('mark sortBy as deprecated', () => {
    for (const path of ['/search', '/search/video', '/search/channel', '/search/playlist', '/search/movie']) {
      expect(endpointAt(path).parameters.properties.sortBy).toMatchObject({ deprecated: true });
      expect(endpointAt(path).parameters.required).toEqual(['query']);
    }
  });
});
