import { describe, expect, it } from 'vitest';
import { fakeSite, type Reply, type SeenRequest } from '../../testing/fake-site.ts';
import { detailOf, page, postId, videoItem, wafPage } from '../testing/pages.ts';
import { tiktok } from '../testing/tiktok.ts';

const url = 'https://www.tiktok.com/@two.three';
const user = {
  id: '5',
  uniqueId: 'two.three',
  nickname: 'Two',
  verified: true,
  language: 'en',
  createTime: 1578872963,
};
const stats = { followerCount: 783_400, heartCount: 3_900_000, videoCount: 19 };
const statsV2 = { followerCount: '783427', heartCount: '3922256', videoCount: '19' };
const profile = (userInfo: object, status: object = { statusCode: 0 }) => ({
  body: page({ 'webapp.user-detail': { ...status, userInfo, shareMeta: { title: 'Two on TikTok' } } }),
});
const embed = (path: string, ids: readonly string[]) => {
  const state = { source: { data: { [path]: { videoList: ids.map((id) => ({ id })) } } } };
  return { body: `<script id="__FRONTITY_CONNECT_STATE__" type="application/json">${JSON.stringify(state)}</script>` };
};
const post = (item: object) => ({ body: page({ 'webapp.reflow.video.detail': detailOf(item) }) });

async function extract(reply: (request: SeenRequest) => Reply, link = url, strategy?: string) {
  const endpoint = tiktok.endpoints.find(({ path }) => path === '/user/details');
  if (endpoint === undefined) throw new Error('there is no such endpoint');
  const world = fakeSite(reply);
  const extraction = await endpoint.extract(
    { url: link },
    strategy === undefined ? world.context : { ...world.context, strategy },
  );
  return { ...extraction, requests: world.requests.map(({ url }) => url.pathname) };
}

const withBox =
  (box: Reply, postReply: Reply = post(videoItem)) =>
  ({ url: { pathname } }: SeenRequest): Reply =>
    pathname.startsWith('/embed/') ? box : pathname.includes('/video/') ? postReply : { body: wafPage };

describe('user details', () => {
  it("contain the site's three objects and the contract's author", async () => {
    const { contents, metadata, requests } = await extract(() => profile({ user, stats, statsV2 }));
    expect(requests).toEqual(['/@two.three']);
    expect(contents).toBeUndefined();
    expect(metadata).toMatchObject({
      title: 'Two',
      author: { id: '5', handle: 'two.three', followerCount: 783_427, likeCount: 3_922_256, user, stats, statsV2 },
      additionalData: { source: 'desktop', createdAt: '2020-01-12T23:49:23.000Z', shareTitle: 'Two on TikTok' },
    });
  });

  it('have the rounded counts as text when there are no exact ones', async () => {
    const { metadata } = await extract(() => profile({ user, stats }));
    expect(metadata.author?.statsV2).toEqual({
      followerCount: '783400',
      heartCount: '3900000',
      videoCount: '19',
    });
  });

  it('include a private user if the page contains them', async () => {
    const { metadata } = await extract(() =>
      profile({ user: { ...user, privateAccount: true }, stats }, { statusCode: 10222 }),
    );
    expect(metadata.author).toMatchObject({ private: true, videoCount: 19 });
  });

  it('fall back to the author of an embedded post when the page is not available', async () => {
    const { metadata, requests } = await extract(withBox(embed('/embed/@Two.Three', [postId])));
    expect(requests).toEqual(['/@two.three', '/embed/@two.three', `/@two.three/video/${postId}`]);
    expect(metadata).toMatchObject({
      title: 'Two',
      author: {
        handle: 'two.three',
        followerCount: 9901,
        user: videoItem.author,
        stats: videoItem.authorStats,
        statsV2: videoItem.authorStatsV2,
      },
      additionalData: { source: 'embed' },
    });
  });

  it('are found through a short link', async () => {
    const { requests } = await extract(
      ({ url: { hostname } }) =>
        hostname === 'vm.tiktok.com' ? { url: `${url}?_r=1`, body: '' } : profile({ user, stats }),
      'https://vm.tiktok.com/ZMabc/',
    );
    expect(requests).toEqual(['/ZMabc/', '/@two.three']);
  });

  it.each<[string, (request: SeenRequest) => Reply, string]>([
    ['no such user', () => profile({}, { statusCode: 10221 }), 'not_found'],
    ['a private account', () => profile({ user }, { statusCode: 10222 }), 'unavailable'],
    ['another status', () => profile({}, { statusCode: 10202 }), 'unavailable'],
    ['no user', () => profile({}), 'invalid_response_data'],
    ['a bot check', () => ({ body: wafPage }), 'non_2xx_response'],
    ['a login', () => ({ url: 'https://www.tiktok.com/login?a=1', body: '' }), 'signin_required'],
    ['an embedded profile without posts', withBox(embed('/embed/@two.three', [])), 'non_2xx_response'],
    [
      'an embedded profile with an invalid post',
      withBox(embed('/embed/@two.three', ['../../x'])),
      'invalid_response_data',
    ],
    ['the embedded profile of another user', withBox(embed('/embed/@other', [postId])), 'non_2xx_response'],
    [
      'the post of another user',
      withBox(embed('/embed/@two.three', [postId]), post({ ...videoItem, author: { uniqueId: 'other' } })),
      'non_2xx_response',
    ],
  ])('are refused: %s', async (_name, reply, code) => {
    await expect(extract(reply)).rejects.toMatchObject({ code });
  });
});

describe('a user page of which nothing can be read', () => {
  const detail = { statusCode: 0, userInfo: { user, stats, itemList: [] } };
  const boxWith = (box: object): Reply => ({
    body: `<script id="__FRONTITY_CONNECT_STATE__">${JSON.stringify({ source: { data: { '/embed/@two.three': box } } })}</script>`,
  });
  it.each<[string, (request: SeenRequest) => Reply, string]>([
    ['a renamed scope', () => ({ body: page({ 'webapp.user-info': detail }) }), 'webapp.user-info'],
    ['a renamed user', () => profile({ stats, userV9: user }), 'webapp.user-detail.userInfo.userV9'],
    ['no ID', () => profile({ stats, user: { uniqueId: 'two' } }), 'webapp.user-detail.userInfo.user.id'],
    ['renamed counts', () => profile({ user, statsV9: stats }), 'webapp.user-detail.userInfo.statsV9'],
    [
      'a renamed container',
      () => ({ body: page({ 'webapp.user-detail': { statusCode: 0, userInfoV9: {} } }) }),
      'webapp.user-detail.userInfoV9',
    ],
    ['embedded posts of an unknown kind', withBox(boxWith({ videoList: [{ clip: {} }] })), 'embed.videoList'],
    ['a renamed list of embedded posts', withBox(boxWith({ posts: [] })), 'embed.posts'],
  ])('is an error that names the kind: %s', async (_name, reply, kind) => {
    await expect(extract(reply)).rejects.toMatchObject({ code: 'invalid_response_data', unread: { [kind]: 1 } });
  });

  it('costs only a field if only a count is renamed', async () => {
    const { metadata, unread } = await extract(() => profile({ user, stats: { followerCount: 7 } }));
    expect([metadata.author?.followerCount, metadata.author?.stats, unread]).toEqual([7, { followerCount: 7 }, {}]);
    const exactOnly = await extract(() => profile({ user, statsV2 }));
    expect(exactOnly.metadata.author).toMatchObject({ followerCount: 783_427, stats: statsV2, statsV2 });
  });
});

it.each([
  ['desktop', ['/@two.three']],
  ['embed', ['/embed/@two.three', `/@two.three/video/${postId}`]],
])('the strategy %s of user details is used alone if it is requested', async (strategy, addresses) => {
  const reply = (request: SeenRequest) =>
    request.url.pathname === '/@two.three'
      ? profile({ user, stats })
      : withBox(embed('/embed/@two.three', [postId]))(request);
  const { metadata, requests } = await extract(reply, url, strategy);
  expect([metadata.additionalData?.source, requests]).toEqual([strategy, addresses]);
});
