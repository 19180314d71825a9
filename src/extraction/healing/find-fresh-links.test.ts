import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { type BlockIndex, noBlocks } from '../../blocks/block-index.ts';
import { blocking } from '../../blocks/testing/test-blocks.ts';
import { serviceCaller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { SourceMedia, SourceStream } from '../../contract/source-media.ts';
import { noSubjects } from '../../contract/subjects.ts';
import { createEgress } from '../../egress/create-egress.ts';
import type { Exit } from '../../egress/exits.ts';
import { fetchBody } from '../../egress/fetch-body.ts';
import type { FreshLinksQuery } from '../../link-healing/fresh-links.ts';
import type { Endpoint, Extraction, Platform } from '../../platforms/platform.ts';
import { createSealer } from '../../sealing/sealer.ts';
import type { SourceQuery } from '../request/source-query.ts';
import { createFindFreshLinks } from './find-fresh-links.ts';

const endpoint: Endpoint = {
  path: '/video/details',
  summary: 'A video',
  parameters: Type.Object({ videoId: Type.String({ minLength: 1 }), lang: Type.Optional(Type.String()) }),
  credits: 1,
  contents: true,
  subjects: () => ({}),
  extract: async () => ({ metadata: {} }),
};
const platform: Platform = {
  ...{ id: 'p9', title: 'A platform', version: '1', endpoints: [endpoint] },
  channelName: (text) => text,
};

function media(repId: string, url: string, stream: Partial<SourceStream> = {}): SourceMedia {
  return {
    item: { label: repId, url, repId, metadata: { mime_type: 'video/mp4', width: 0, height: 0, has_audio: false } },
    stream: { ext: 'mp4', kind: 'video', ...stream },
  };
}

const video: Extraction = {
  metadata: {},
  profile: 'vision',
  contents: [
    { videos: [media('1', 'https://cdn.example/other')], subjects: noSubjects },
    {
      subjects: noSubjects,
      videos: [
        media('1', 'https://cdn.example/muxed', { kind: 'muxed' }),
        media('1', 'https://cdn.example/video', {
          bytes: 100,
          expiresAt: 5_000,
          headers: { Cookie: 'a=b' },
        }),
      ],
      audios: [media('2', 'https://cdn.example/audio.m3u8', { kind: 'audio', ext: 'm3u8' })],
      images: [media('3', 'https://cdn.example/image')],
    },
  ],
};

const query: FreshLinksQuery = {
  owner: 'extraction:1',
  item: {
    platform: 'p9',
    endpoint: '/video/details',
    parameters: { videoId: 'a', lang: 'de' },
    content: 1,
    contentCount: 2,
  },
  representations: [
    { repId: '1', kind: 'video' },
    { repId: '2', kind: 'audio' },
  ],
  exit: 'fr-1',
  failedProfiles: [],
};

const { signal } = new AbortController();

/** Creates a finder whose platform returns an extraction through an exit. */
function finderOf(
  extract: () => Promise<Extraction>,
  exitUsed = 'fr-1',
  exitsById: Record<string, string> = {},
  blocks: BlockIndex = noBlocks,
) {
  const queries: SourceQuery[] = [];
  const find = createFindFreshLinks({
    platforms: [platform],
    async fetchSource(sourceQuery) {
      queries.push(sourceQuery);
      return { ...(await extract()), exit: exitUsed };
    },
    // Only the ID of the exit is used.
    exits: { byId: (id) => ({ id: exitsById[id] ?? id }) as Exit },
    sealer: createSealer(['a secret of the tests']),
    blocks,
  });
  return { find: (changes: Partial<FreshLinksQuery> = {}) => find({ ...query, ...changes }, signal), queries };
}

describe('new links', () => {
  test('are those of the same content item, kind and representation', async () => {
    const { find } = finderOf(async () => video);
    expect(await find()).toEqual({
      profile: 'vision',
      links: [
        { url: 'https://cdn.example/video', ext: 'mp4', headers: { Cookie: 'a=b' }, bytes: 100, expiresAt: 5_000 },
        { url: 'https://cdn.example/audio.m3u8', ext: 'm3u8', headers: {} },
      ],
    });
  });

  test.each([
    ['another representation', { representations: [{ repId: '9', kind: 'video' }] }],
    ['another kind', { representations: [{ repId: '2', kind: 'video' }] }],
    ['an image', { representations: [{ repId: '3', kind: 'video' }] }],
    ['another content item', { item: { ...query.item, content: 2 }, representations: [{ repId: '1', kind: 'video' }] }],
  ] satisfies [string, Partial<FreshLinksQuery>][])('are missing for %s', async (_what, changes) => {
    const { find } = finderOf(async () => video);
    expect((await find(changes)).links).toEqual([undefined]);
  });

  test('are missing if the item has no contents any more', async () => {
    const { find } = finderOf(async () => ({ metadata: {} }));
    expect(await find()).toEqual({ links: [undefined, undefined] });
  });

  test.each([
    ['fewer', video.contents?.slice(1)],
    ['more', [...(video.contents ?? []), ...(video.contents ?? [])]],
    ['no', []],
  ])('are missing if the post now has %s items', async (_what, contents = []) => {
    const { find } = finderOf(async () => ({ ...video, contents }));
    const item = { ...query.item, content: 0 };
    expect((await find({ item, representations: [{ repId: '1', kind: 'video' }] })).links).toEqual([undefined]);
  });

  test('of a post with one item need no number of items', async () => {
    const { find } = finderOf(async () => ({ ...video, contents: video.contents?.slice(1) ?? [] }));
    const { contentCount: _several, ...item } = { ...query.item, content: 0 };
    expect((await find({ item })).links).not.toContain(undefined);
  });

  test('are missing if the platform bound them to another exit', async () => {
    const { find } = finderOf(async () => video, 'us-1');
    expect((await find()).links).toEqual([undefined, undefined]);
  });

  test('are bound to the exit that replaced a removed one in its country', async () => {
    const { find, queries } = finderOf(async () => video, 'fr-2', { 'fr-1': 'fr-2' });
    expect((await find()).links).not.toContain(undefined);
    expect(queries).toMatchObject([{ exit: 'fr-1' }]);
  });
});

describe('new links of a blocked item', () => {
  const blocked = { code: 'blocked', status: 451 };
  const owned: Extraction = { ...video, metadata: { author: { id: 'UC1' }, additionalData: { id: 'v1' } } };

  test.each([
    ['the item that the result states', blocking('item', 'p9', 'v1'), owned],
    ['the channel that the result states', blocking('channel', 'p9', 'UC1'), owned],
    [
      'the item that the content states',
      blocking('item', 'p9', 'reel'),
      { ...video, contents: video.contents?.map((content) => ({ ...content, subjects: { items: ['reel'] } })) ?? [] },
    ],
  ])('are refused for %s', async (_what, blocks, extraction) => {
    await expect(finderOf(async () => extraction, 'fr-1', {}, blocks).find()).rejects.toMatchObject(blocked);
    await expect(finderOf(async () => video, 'fr-1', {}, blocks).find()).resolves.toBeDefined();
  });
});

describe('a new link to an internal address', () => {
  const settings = { EGRESS_ALLOW: [], EGRESS_CONNECT_TO: [] };

  test.each([
    ['literal', 'http://127.0.0.1/video', []],
    ['of a metadata service', 'http://169.254.169.254/latest/meta-data', []],
    ['behind a name', 'https://cdn.example/video', ['10.0.0.7']],
    ['behind a name with several addresses', 'https://cdn.example/video', ['10.0.0.7', '::1']],
    ['of another protocol', 'file:///etc/passwd', []],
  ])('%s is refused by the egress that fetches it', async (_what, url, addresses) => {
    const { find } = finderOf(async () => ({
      metadata: {},
      contents: [{ videos: [media('1', url)], subjects: noSubjects }],
    }));
    const { contentCount: _several, ...item } = { ...query.item, content: 0 };
    const { links } = await find({ item, representations: [{ repId: '1', kind: 'video' }] });
    const [link] = links;
    const egress = createEgress(settings, {
      resolve: (_hostname, _options, callback) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
    });
    const fetching = fetchBody(egress, { url: link?.url ?? '', caller: serviceCaller, signal }, 1_000);
    await expect(fetching).rejects.toMatchObject({ code: 'address_refused' });
    await egress.close();
  });
});

describe('the request for new links', () => {
  test('states the item, the exit and the failed profiles, and goes through the source of the process', async () => {
    const { find, queries } = finderOf(async () => video);
    await find({ failedProfiles: ['vision'] });
    expect(queries).toMatchObject([
      { platform: 'p9', endpoint, parameters: { videoId: 'a', lang: 'de' }, exit: 'fr-1', failedProfiles: ['vision'] },
    ]);
  });

  test.each(['not_found', 'unavailable', 'signin_required', 'age_restricted', 'connection_error'] as const)(
    'fails with the error %s of the platform',
    async (code) => {
      const refusal = new MillraceError(code, 'The video is private.');
      const { find } = finderOf(() => Promise.reject(refusal));
      await expect(find()).rejects.toBe(refusal);
    },
  );

  test('is not sent for the item of an unknown platform', async () => {
    const { find, queries } = finderOf(async () => video);
    const item = { ...query.item, platform: 'p1' };
    await expect(find({ item })).rejects.toMatchObject({ code: 'token_expired' });
    expect(queries).toEqual([]);
  });

  test('is shared by concurrent identical queries, and repeated for a later one', async () => {
    const { promise, resolve } = Promise.withResolvers<Extraction>();
    const { find, queries } = finderOf(() => promise);
    const both = [find(), find({ representations: [{ repId: '1', kind: 'muxed' }] })];
    const other = find({ failedProfiles: ['vision'] });
    resolve(video);
    const [first, second] = await Promise.all(both);
    await other;
    expect([first?.links.length, second?.links[0]?.url]).toEqual([2, 'https://cdn.example/muxed']);
    expect(queries).toHaveLength(2);
    await find();
    expect(queries).toHaveLength(3);
  });
});
