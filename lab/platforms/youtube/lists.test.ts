import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../../lab.ts';
import { fetchThrough, startTestLab } from '../../testing.ts';
import { playlists, posts } from './catalogue.ts';
import { encodeMembers, message } from './protobuf.ts';
import { tabParams } from './responses/channel.ts';
import { channelTabs } from './responses/channel-lists.ts';
import { commentsToken, writeCommentsToken } from './responses/comment-tokens.ts';
import { type CallSite, nextToken, pages, siteCaller, texts, under, type Value } from './testing.ts';
import { channelOf } from './world/channels.ts';

let lab: Lab;
let site: CallSite;
beforeAll(async () => {
  lab = await startTestLab();
  site = siteCaller(lab);
});
afterAll(() => lab.close());

const params = (name: string) => {
  const tab = channelTabs.find((each) => each.name === name);
  if (tab === undefined) throw new Error(`There is no tab ${name}.`);
  return tabParams(tab);
};
const [newest, older] = [channelOf(0), channelOf(1)];
const videoIds = (response: unknown) => [
  ...texts(under(response, 'lockupViewModel'), 'contentId'),
  ...under(response, 'videoRenderer').map(({ videoId }) => String(videoId)),
  ...under(response, 'playlistVideoRenderer').map(({ videoId }) => String(videoId)),
];
const unique = (ids: readonly string[]) => new Set(ids).size;

describe('channels', () => {
  test.each([
    ['videos', newest, 'lockupViewModel', 95],
    ['videos', older, 'videoRenderer', 95],
    ['shorts', newest, 'shortsLockupViewModel', newest.counts.shorts],
    ['streams', older, 'videoRenderer', older.counts.streams],
    ['playlists', newest, 'lockupViewModel', newest.counts.playlists],
    ['playlists', older, 'gridPlaylistRenderer', older.counts.playlists],
    ['releases', newest, 'playlistRenderer', newest.counts.releases],
    ['podcasts', newest, 'lockupViewModel', newest.counts.podcasts],
    ['posts', older, 'backstagePostThreadRenderer', older.counts.posts],
  ] as const)('list every entry of the tab %s of %o once', async (name, channel, key, count) => {
    const tabPages = await pages(site, 'browse', { browseId: channel.id, params: params(name) });
    const items = tabPages.flatMap((page) => under(page, key));
    expect([items.length, unique(items.map((item) => JSON.stringify(item)))]).toEqual([count, count]);
    expect(JSON.stringify(tabPages[0])).toContain(key === 'lockupViewModel' ? 'pageHeaderViewModel' : channel.name);
  });

  test('have the header of their generation', async () => {
    const headers = await Promise.all(
      [newest, older].map(async ({ id }) => (await site('browse', { browseId: id })).body.header),
    );
    expect(headers.map((header) => Object.keys(Object(header))[0])).toEqual([
      'pageHeaderRenderer',
      'c4TabbedHeaderRenderer',
    ]);
  });

  test('list the same videos in another order', async () => {
    const first = await site('browse', { browseId: newest.id, params: params('videos') });
    const chips = under(first.body, 'chipViewModel');
    expect(chips.map(({ text }) => text)).toEqual(['Latest', 'Popular', 'Oldest']);
    const latest = (await pages(site, 'browse', { browseId: newest.id, params: params('videos') })).flatMap(videoIds);
    for (const chip of chips.slice(1)) {
      const [token = ''] = texts(chip, 'token');
      const sorted = (await pages(site, 'browse', { continuation: token })).flatMap(videoIds);
      expect(sorted).not.toEqual(latest);
      expect(sorted.toSorted()).toEqual(latest.toSorted());
    }
  });

  test('have an about panel', async () => {
    const { body } = await site('browse', { browseId: newest.id });
    const [panel] = under(body, 'showEngagementPanelEndpoint');
    const about = await site('browse', { continuation: texts(panel, 'token')[0] });
    expect(under(about.body, 'aboutChannelViewModel')[0]).toMatchObject({ channelId: newest.id, country: 'Germany' });
  });

  test('are refused if terminated, unknown, age-restricted or invalid', async () => {
    const alert = async (browseId: string) => under((await site('browse', { browseId })).body, 'simpleText')[0];
    expect(await alert(channelOf(3).id)).toMatch(/terminated/);
    expect(await alert('UCxxxxxxxxxxxxxxxxxxxxxx')).toBe('This channel does not exist.');
    expect(under((await site('browse', { browseId: channelOf(4).id })).body, 'channelAgeGateRenderer')).toHaveLength(1);
    expect((await site('browse', { browseId: channelOf(2).id, params: params('videos') })).body).toMatchObject({
      contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: { title: 'Home', selected: true } }] } },
    });
    expect((await site('browse', { browseId: 'nonsense' })).status).toBe(400);
    expect((await site('browse', { continuation: 'nonsense' })).status).toBe(400);
  });

  test('are found by their handles and addresses', async () => {
    const at = (path: string) => site('navigation/resolve_url', { url: `https://www.youtube.com/${path}` });
    for (const path of ['@thelab', '@TheLab/videos', 'user/thelab', 'thelab', `channel/${newest.id}`]) {
      expect(texts((await at(path)).body, 'browseId')).toEqual([newest.id]);
    }
    expect(texts((await at('c/labmoved')).body.endpoint, 'url')).toContain('https://www.youtube.com/@thelab');
    expect(texts((await at(`post/${posts.plain}`)).body, 'browseId')).toEqual(['FEpost_detail']);
    expect((await at('@nobody')).status).toBe(404);
  });
});

describe('playlists', () => {
  test.each([
    ['long', 'lockupViewModel', 250, 3],
    ['longOld', 'playlistVideoRenderer', 250, 3],
    ['ten', 'lockupViewModel', 10, 1],
    ['uploads', 'lockupViewModel', 95, 1],
    ['shorts', 'shortsLockupViewModel', newest.counts.shorts, 1],
  ] as const)('contain every entry of %s once', async (name, key, count, pageCount) => {
    const playlistPages = await pages(site, 'browse', { browseId: `VL${playlists[name]}`, params: 'wgYCCAA=' });
    const items = playlistPages.flatMap((page) => under(page, key));
    expect([playlistPages.length, items.length, unique(items.map((item) => JSON.stringify(item)))]).toEqual([
      pageCount,
      count,
      count,
    ]);
  });

  test('return only the entries of the first page for a token that a client makes itself', async () => {
    const id = playlists.long;
    const continuation = encodeMembers([80_226_972, message([2, `VL${id}`], [3, 'CADCBgIIAA%3D%3D'], [35, id])]);
    const { body } = await site('browse', { continuation });
    expect([videoIds(body).length, body.header]).toEqual([100, undefined]);
  });

  test('are refused if private or unknown', async () => {
    expect(JSON.stringify((await site('browse', { browseId: `VL${playlists.private}` })).body)).toContain(
      'does not exist',
    );
    expect((await site('browse', { browseId: 'VLPLnothing' })).status).toBe(404);
  });

  test('include a mix without end', async () => {
    const panel = async (body: Value) =>
      under((await site('next', { playlistId: playlists.mix, ...body })).body, 'playlistPanelVideoRenderer');
    const first = await panel({ videoId: 'lab-plain30' });
    const next = await panel({ videoId: String(first.at(-1)?.videoId), playlistIndex: 24 });
    expect([first[0]?.videoId, next[0]?.videoId]).toEqual(['lab-plain30', first.at(-1)?.videoId]);
    expect(unique([...first, ...next].map(({ videoId }) => String(videoId)))).toBe(49);
  });
});

describe('comments', () => {
  const ids = (response: unknown) =>
    texts([under(response, 'commentViewModel'), under(response, 'commentRenderer')], 'commentId');
  const top = (values: readonly Value[]) => [...new Set(values.flatMap(ids))];

  test.each(['lab-plain30', 'lab-old-30s'])('of %s have pages, both orders and replies', async (videoId) => {
    const watch = await site('next', { videoId });
    expect(texts(watch.body, 'token')).toContain(commentsToken(videoId));
    const commentPages = await pages(site, 'next', { continuation: commentsToken(videoId) });
    const newestFirst = await pages(site, 'next', {
      continuation: writeCommentsToken({ subject: videoId, newest: true, offset: 0 }),
    });
    const all = top(commentPages);
    expect(all.length).toBeGreaterThan(20);
    expect(top(newestFirst)).toEqual(all.toReversed());
    const [header] = under(commentPages, 'commentsHeaderRenderer');
    expect(texts(header, 'text')[0]).toBe(String(all.length));
    const replies = await pages(site, 'next', {
      continuation: texts(under(commentPages, 'commentRepliesRenderer')[0], 'token')[0],
    });
    const more = texts(under(replies[0], 'buttonRenderer'), 'token')[0];
    const second = await site('next', { continuation: more });
    expect([unique(ids(replies[0])), unique(ids(second.body))]).toEqual([10, 10]);
    expect(ids(replies[0])[0]).toMatch(new RegExp(`^${all[0]}\\.`));
  });

  test('begin with a linked comment, and have their texts beside the list', async () => {
    const all = top(await pages(site, 'next', { continuation: commentsToken('lab-plain30') }));
    const linked = all[7] ?? '';
    const { body } = await site('next', {
      continuation: writeCommentsToken({ subject: 'lab-plain30', newest: false, offset: 0, linkedId: linked }),
    });
    expect(ids(body)[0]).toBe(linked);
    expect(under(body, 'commentEntityPayload')).toHaveLength(20);
    expect(under(body, 'subThreads')).not.toEqual([]);
  });

  test('may be turned off, and exist for posts', async () => {
    expect(JSON.stringify((await site('next', { videoId: 'lab-no-talk' })).body)).toContain('Comments are turned off.');
    const commentPages = await pages(site, 'browse', {
      continuation: writeCommentsToken({ subject: posts.plain, newest: false, offset: 0 }),
    });
    expect(top(commentPages).length).toBeGreaterThan(4);
  });
});

describe('posts', () => {
  test.each(Object.entries(posts))('include the documented %s post', async (name, id) => {
    const channel = name === 'old' ? older : newest;
    const of = (channelId: string) => encodeMembers([56, message([2, channelId], [3, id], [11, channelId])]);
    const { body } = await site('browse', { browseId: 'FEpost_detail', params: of(channel.id) });
    const [thread] = under(body, 'backstagePostThreadRenderer');
    expect(texts(thread, 'postId')[0]).toBe(id);
    expect(Object.keys(Object(thread?.post))[0]).toBe(
      name === 'shared' ? 'sharedPostRenderer' : 'backstagePostRenderer',
    );
    expect(
      (await site('browse', { browseId: 'FEpost_detail', params: of(channelOf(9).id) })).body.alerts,
    ).toBeDefined();
  });
});

describe('hashtags', () => {
  test.each([
    ['lab', 'lockupViewModel', 'pageHeaderRenderer'],
    ['labold', 'videoRenderer', 'hashtagHeaderRenderer'],
  ])('%s have three pages in their own shape', async (tag, key, header) => {
    const query = { browseId: 'FEhashtag', params: encodeMembers([93, message([1, tag], [3, 1])]) };
    const hashtagPages = await pages(site, 'browse', query);
    expect([
      hashtagPages.length,
      hashtagPages.flatMap((page) => under(page, key)).length,
      unique(hashtagPages.flatMap(videoIds)),
    ]).toEqual([3, 150, 150]);
    expect(Object.keys(Object(hashtagPages[0]?.header))).toEqual([header]);
  });

  test('without videos have no entries', async () => {
    const { body } = await site('browse', {
      browseId: 'FEhashtag',
      params: encodeMembers([93, message([1, 'labnothing'])]),
    });
    expect([videoIds(body), nextToken(body)]).toEqual([[], undefined]);
  });
});

describe('search', () => {
  const results = (query: string, ...filters: [number, number][]) =>
    pages(site, 'search', { query, params: encodeMembers([2, message(...filters)]) });

  test('returns videos that match the words, and has a last page', async () => {
    const items = await results('old trains', [2, 1]);
    const videos = items.flatMap((page) => under(page, 'videoRenderer'));
    expect([items.length, videos.length, unique(videos.map(({ videoId }) => String(videoId)))]).toEqual([5, 100, 100]);
    expect(videos.every(({ ownerText }) => JSON.stringify(ownerText).includes('"/@trains'))).toBe(true);
    expect(await results('old trains', [2, 1])).toHaveLength(5);
  });

  test.each([
    ['channel', 2, 'channelRenderer'],
    ['playlist', 3, 'lockupViewModel'],
    ['movie', 4, 'movieRenderer'],
  ] as const)('returns results of the type %s', async (_, type, key) => {
    const [first] = await results('anything', [2, type]);
    expect([under(first, key).length, under(first, 'videoRenderer').length]).toEqual([20, 0]);
  });

  test('filters by length, day and live streams', async () => {
    const lengths = async (filter: number) =>
      under(await results('rivers', [2, 1], [3, filter]), 'lengthText').map(({ simpleText }) => String(simpleText));
    expect([...new Set(await lengths(4))].toSorted()).toEqual(['0:12', '0:30', '1:00']);
    expect([...new Set(await lengths(5))].toSorted()).toEqual(['10:00', '4:00']);
    expect([...new Set(await lengths(2))]).toEqual(['25:00']);
    const today = under(await results('rivers', [2, 1], [1, 2]), 'publishedTimeText').map(
      ({ simpleText }) => simpleText,
    );
    expect(new Set(today)).toEqual(new Set(['3 hours ago']));
    const live = await results('rivers', [8, 1]);
    expect(under(live, 'metadataBadgeRenderer').filter(({ label }) => label === 'LIVE').length).toBeGreaterThan(0);
  });

  test('returns mixed results, no results, and titles in another language', async () => {
    const all = (await site('search', { query: 'kites' })).body;
    for (const key of ['channelRenderer', 'videoRenderer', 'lockupViewModel', 'shelfRenderer'])
      expect(under(all, key)).not.toEqual([]);
    const none = (await site('search', { query: 'labnothing' })).body;
    expect([none.estimatedResults, under(none, 'messageRenderer').length, nextToken(none)]).toEqual([
      '0',
      1,
      undefined,
    ]);
    const german = (await site('search', { query: 'kites' }, { hl: 'de' })).body;
    expect(JSON.stringify(under(german, 'title'))).toMatch(/Wie|Gang|Leben|Zehn|Hand/);
  });

  test('offers suggestions', async () => {
    const at = (query: string) =>
      fetchThrough(lab, `https://suggestqueries-clients6.youtube.com/complete/search?client=youtube&ds=yt&${query}`);
    const response = JSON.parse((await at('q=old&xhr=t')).body.toString()) as unknown[];
    expect([response[0], Object(response[1])[1]?.[0]]).toEqual(['old', 'old bridges']);
    expect((await at('q=old')).body.toString()).toMatch(/^window\.google\.ac\.h\(/);
  });
});
