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

async function extract(reply: (request: SeenRequest) => Reply, link = url) {
  const endpoint = tiktok.endpoints.find(({ path }) => path === '/user/details');
  if (endpoint === undefined) throw new Error('there is no such endpoint');
  const world = fakeSite(reply);
  const extraction = await endpoint.extract({ url: link }, world.context);
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
    ['an embedded profile with an invalid post', withBox(embed('/embed/@two.three', ['../../x'])), 'non_2xx_response'],
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
