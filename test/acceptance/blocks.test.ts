import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ServiceWithAdmin, startServiceWithAdmin } from '../support/admin.ts';
import type { Result } from '../support/envelope.ts';
import { fetchJson, post } from '../support/http-client.ts';
import { connectOverHttp } from '../support/mcp-client.ts';
import { temporaryFolder } from '../support/processes.ts';
import { renderItem } from '../support/render-item.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: ServiceWithAdmin;
let key: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  world = await startServiceWithAdmin(inject('labUrl'), folder.path, { MEGA: { requestsPerSecond: 1_000 } });
  ({ key } = await world.create('MEGA'));
});
afterAll(async () => {
  await world.service.kill();
  await folder.delete();
});

type Parameters = Readonly<Record<string, string>>;

const request = (path: string, parameters: Parameters) =>
  fetchJson<Result>(`${world.service.url}${path}?${new URLSearchParams(parameters)}`, {
    headers: { 'x-marketplace-key': key, 'x-marketplace-host': 'api.example' },
  });

/** Blocks something on a platform while a function runs. The value may be a link. */
async function whileBlocked(
  target: readonly [platform: string, kind: string, value: string],
  use: () => Promise<void>,
) {
  const [platform, kind, value] = target;
  const body = { platform, kind, value, reason: 'Court order 7' };
  const block = await world.admin<{ id: string }>('POST', '/admin/blocks', body);
  expect(block.status).toBe(201);
  try {
    await use();
  } finally {
    await world.admin('DELETE', `/admin/blocks/${block.body.id}`);
  }
}

const blocked = { status: 451, body: { error: { code: 'blocked', reason: 'Court order 7' } } };

const reel = 'https://www.facebook.com/reel/770000000000001';
const thelab = 'https://www.facebook.com/thelab';
const channelId = 'UC85zAYFztyDQQgidr86JyUQ';
const playlistId = 'PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR';
const postId = 'Ugkxnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR';

describe('a block', () => {
  test('of an item covers its decorated links, renders, files and relayed media', async () => {
    const decorated = { url: `(${reel}).`, renderableFormats: 'lowres' };
    const { body } = await request('/p3/v3/post/details', decorated);
    const item = body.contents?.[0]?.renderableVideos?.[0];
    const executionUrl = item?.renderConfig?.executionUrl ?? '';
    const file = (await renderItem(item)).output?.url ?? '';
    const proxied = { videoId: 'https://youtu.be/lab-plain30;x', urlAccess: 'proxied', fields: 'contents' };
    const relayed = (await request('/p1/v3/video/details', proxied)).body.contents?.[0]?.videos?.[0]?.url ?? '';
    expect([(await fetch(file)).status, (await fetch(relayed, { method: 'HEAD' })).status]).toEqual([200, 200]);

    await whileBlocked(['p3', 'item', '770000000000001'], async () => {
      for (const url of [
        reel,
        `${reel}.`,
        `(${reel})`,
        `${reel};x`,
        `${reel}\u200b`,
        `${reel.replace('https', 'HTTPS')},`,
      ]) {
        expect(await request('/p3/v3/post/details', { url })).toMatchObject(blocked);
      }
      expect(await fetchJson(executionUrl)).toMatchObject(blocked);
      expect(await fetchJson(file)).toMatchObject(blocked);
    });
    await whileBlocked(['p1', 'item', 'https://www.youtube.com/shorts/lab-plain30?a=b'], async () => {
      expect(await request('/p1/v3/video/details', proxied)).toMatchObject(blocked);
      expect(await fetchJson(relayed)).toMatchObject(blocked);
    });
    expect((await fetch(file)).status).toBe(200);
  });

  test.each<[string, readonly [string, string, string], string, Parameters]>([
    [
      'comments of an item',
      ['p1', 'item', 'lab-plain30'],
      '/p1/v3/video/comments',
      { videoId: 'youtu.be/lab-plain30.' },
    ],
    ['comments of a channel, by ID', ['p1', 'channel', channelId], '/p1/v3/video/comments', { videoId: 'lab-plain30' }],
    [
      'comments of a channel, by handle',
      ['p1', 'channel', '@TheLab'],
      '/p1/v3/video/comments',
      { videoId: 'lab-plain30' },
    ],
    [
      'posts of a channel, by a decorated link',
      ['p1', 'channel', channelId],
      '/p1/v3/channel/posts',
      { channelId: `(https://www.youtube.com/channel/${channelId}).` },
    ],
    ['posts of a handle, by ID', ['p1', 'channel', '@thelab'], '/p1/v3/channel/posts', { channelId }],
    [
      'videos of a handle, by ID',
      ['p1', 'channel', 'https://www.youtube.com/@TheLab'],
      '/p1/v3/channel/videos',
      { channelId, contentType: 'videos' },
    ],
    ['a handle', ['p1', 'channel', channelId], '/p1/v3/channel/id-from-handle', { handle: '@thelab' }],
    [
      'uploads of a channel as a playlist',
      ['p1', 'channel', channelId],
      '/p1/v3/playlist',
      { playlistId: channelId.replace('UC', 'UU') },
    ],
    ['the About tab of a handle', ['p3', 'channel', '@thelab'], '/p3/v3/profile/about', { url: thelab }],
    ['reels of a handle', ['p3', 'channel', '@TheLab'], '/p3/v3/profile/reels', { url: `${thelab}.` }],
    ['photos of a handle', ['p3', 'channel', '@thelab'], '/p3/v3/profile/photos', { url: thelab }],
    [
      'photos of a handle, by number',
      ['p3', 'channel', '@thelab'],
      '/p3/v3/profile/photos',
      { url: 'https://www.facebook.com/profile.php?id=100077000000010' },
    ],
    ['reels of a number, by handle', ['p3', 'channel', '100077000000010'], '/p3/v3/profile/reels', { url: thelab }],
    ['a reel of a handle', ['p3', 'channel', thelab], '/p3/v3/post/details', { url: reel }],
    [
      'a post by its opaque name',
      ['p3', 'item', '880000000000001'],
      '/p3/v3/post/details',
      { url: 'https://www.facebook.com/thelab/posts/pfbid0Lab880000000000001' },
    ],
    ['a video of a handle', ['p1', 'channel', '@thelab'], '/p1/v3/video/details', { videoId: 'lab-plain30' }],
    [
      'the media of a video of a handle',
      ['p1', 'channel', '@thelab'],
      '/p1/v3/video/details',
      { videoId: 'lab-plain30', fields: 'contents' },
    ],
    ['a channel of a handle', ['p1', 'channel', '@thelab'], '/p1/v3/channel/details', { channelId }],
    [
      'playlists of a handle',
      ['p1', 'channel', '@thelab'],
      '/p1/v3/channel/playlists',
      { channelId, contentType: 'playlists' },
    ],
    ['a playlist of a handle', ['p1', 'channel', '@thelab'], '/p1/v3/playlist', { playlistId }],
    ['a playlist of a channel', ['p1', 'channel', channelId], '/p1/v3/playlist', { playlistId }],
    ['a post of a handle', ['p1', 'channel', '@thelab'], '/p1/v3/post/details', { postId, channelId }],
    ['comments of a post of a handle', ['p1', 'channel', '@thelab'], '/p1/v3/post/comments', { postId, channelId }],
    ['a post of a username', ['p2', 'channel', 'Lab.Two'], '/p2/v3/media/post/details', { shortcode: 'lab-reel-30' }],
    ['a profile of a username', ['p2', 'channel', '@TheLab'], '/p2/v3/user/profile/details', { username: 'thelab' }],
    [
      'a post of a user',
      ['p4', 'channel', 'https://www.tiktok.com/@TheLab'],
      '/p4/v3/post/details',
      { url: '7559142440960000001' },
    ],
    [
      'the target of a short link',
      ['p6', 'item', '600000000000000101'],
      '/p6/v3/pin/details',
      { pinId: 'https://pin.it/LabPin1' },
    ],
    [
      'the author of a short link',
      ['p4', 'channel', '@thelab'],
      '/p4/v3/user/details',
      { url: 'https://vm.tiktok.com/ZMlabuser' },
    ],
    [
      'a post by the number of its shortcode',
      ['p2', 'item', 'https://www.instagram.com/p/lab-reel-30/'],
      '/p2/v3/media/post/details',
      { shortcode: 'https://www.instagram.com/share/lab-reel-30' },
    ],
  ])('covers %s, also in the cache', async (_what, target, path, parameters) => {
    const open = await request(path, parameters);
    expect(open.status, JSON.stringify(open.body.error)).toBe(200);
    await whileBlocked(target, async () => {
      expect(await request(path, parameters)).toMatchObject(blocked);
    });
    expect((await request(path, parameters)).status).toBe(200);
  });

  test('of an account refuses the renders of its entries in a list of several accounts', async () => {
    const query = { audioId: '1000000000000001', renderableFormats: 'lowres' };
    const { body } = await request('/p2/v3/media/audio/details', query);
    const reels = body.metadata.additionalData?.reels as readonly { readonly author: { readonly username: string } }[];
    const urls = (body.contents ?? []).map(({ renderableVideos }) => renderableVideos?.[0]?.renderConfig?.executionUrl);
    const owners = reels.map(({ author }) => author.username);
    const [owner = ''] = owners;
    await whileBlocked(['p2', 'channel', owner], async () => {
      expect((await request('/p2/v3/media/audio/details', query)).status).toBe(200);
      const refused = await Promise.all(urls.map(async (url = '') => (await fetchJson(url)).status === 451));
      expect(refused).toEqual(owners.map((name) => name === owner));
      expect(new Set(refused).size).toBe(2);
    });
  });

  test('of a channel covers further pages of its lists', async () => {
    for (const [platform, value, path, parameters] of [
      ['p1', '@thelab', '/p1/v3/channel/videos', { channelId, contentType: 'videos' }],
      ['p1', channelId, '/p1/v3/video/comments', { videoId: 'lab-plain30' }],
      ['p3', '@thelab', '/p3/v3/profile/photos', { url: 'https://www.facebook.com/profile.php?id=100077000000010' }],
    ] as const) {
      const nextToken = /"nextToken":"([^"]+)"/.exec(JSON.stringify((await request(path, parameters)).body))?.[1] ?? '';
      expect((await request(path, { ...parameters, nextToken })).status).toBe(200);
      await whileBlocked([platform, 'channel', value], async () => {
        expect(await request(path, { ...parameters, nextToken })).toMatchObject(blocked);
      });
    }
  });

  test('covers the tools of AI assistants and batches of renders', async () => {
    const headers = { 'x-marketplace-key': key, 'x-marketplace-host': 'api.example' };
    const { call, close } = await connectOverHttp(world.service.url, headers);
    const { body } = await request('/p3/v3/post/details', { url: reel, renderableFormats: 'lowres' });
    const executionUrl = body.contents?.[0]?.renderableVideos?.[0]?.renderConfig?.executionUrl ?? '';
    const renderKey = (await world.create('MEGA', 'render')).key;
    await whileBlocked(['p3', 'item', reel], async () => {
      const details = await call('get_details', { link: `${reel}.` });
      expect([details.isError, details.text]).toEqual([true, expect.stringContaining('Court order 7')]);
      const batch = await post(`${world.service.url}/api/v1/render/batch`, { jobs: [{ executionUrl }] }, renderKey);
      expect(JSON.stringify(batch.body)).toContain('"code":"blocked"');
    });
    await close();
  });

  test('is not created from a link that does not contain the ID', async () => {
    for (const [platform, kind, value] of [
      ['p6', 'item', 'https://pin.it/LabPin1'],
      ['p1', 'item', 'https://www.youtube.com/@thelab'],
      ['p1', 'channel', 'https://www.youtube.com/user/thelab'],
      ['p3', 'item', 'https://www.tiktok.com/@thelab/video/7559142440960000001'],
    ]) {
      const block = await world.admin('POST', '/admin/blocks', { platform, kind, value, reason: 'x' });
      expect(block).toMatchObject({ status: 400, body: { error: { code: 'invalid_body' } } });
    }
  });
});
