import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../../lab.ts';
import { fetchThrough, json, startTestLab, type TestResponse } from '../../testing.ts';
import { under } from '../youtube/testing.ts';
import { dataOf, desktop, phone } from './testing.ts';
import { findPost } from './world/posts.ts';
import { documentedId, scenarios } from './world/scenarios.ts';
import { userOf, users } from './world/users.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

// A video of two seconds is generated quickly.
const quick = documentedId(2);
const page = (path: string, headers: Record<string, string> = desktop) =>
  fetchThrough(lab, `https://www.tiktok.com${path}`, { headers });
const postPage = (number: number, headers?: Record<string, string>) =>
  page(`/@_/video/${documentedId(number)}`, headers);
const dataIn = (response: TestResponse) => dataOf(response.body.toString());
const itemIn = (response: TestResponse) => Object(under(dataIn(response), 'itemStruct')[0]);

/** Returns the headers that the CDN requires for the links of a page. */
function needed(response: TestResponse, agent = desktop) {
  const cookie = response.headers['set-cookie']?.map((each) => each.split(';')[0]).join('; ') ?? '';
  return { ...agent, cookie, referer: 'https://www.tiktok.com/' };
}

describe('media', () => {
  test('serves a video only to the browser that loaded the page', async () => {
    const response = await postPage(2);
    const { playAddr, bitrateInfo } = itemIn(response).video;
    const headers = needed(response);
    for (const { PlayAddr } of bitrateInfo) {
      const [first, second, through] = PlayAddr.UrlList;
      for (const url of [first, second]) {
        const file = await fetchThrough(lab, url, { headers });
        expect([file.status, file.headers['content-type'], file.body.length]).toEqual([
          200,
          'video/mp4',
          Number(PlayAddr.DataSize),
        ]);
      }
      expect((await fetchThrough(lab, through, { headers })).status).toBe(404);
    }
    const other = needed(await postPage(2));
    for (const wrong of [
      {},
      desktop,
      { ...headers, referer: 'https://example.com/' },
      { ...headers, ...phone },
      { ...headers, cookie: '' },
      other,
    ]) {
      expect((await fetchThrough(lab, playAddr, { headers: wrong })).status).toBe(403);
    }
    expect((await fetchThrough(lab, playAddr.replace('movie-360', 'movie-144'), { headers })).status).toBe(403);
  });

  test('returns 403 for the expired links of post 63', async () => {
    const response = await postPage(63);
    expect((await fetchThrough(lab, itemIn(response).video.playAddr, { headers: needed(response) })).status).toBe(403);
    expect((await fetchThrough(lab, itemIn(response).music.playUrl)).status).toBe(403);
  });

  test('serves music, subtitles and images to every client with the link', async () => {
    const { music, video, author } = itemIn(await postPage(2));
    for (const [url, type] of [
      [music.playUrl, 'audio/mpeg'],
      [video.subtitleInfos[0].Url, 'text/vtt'],
      [video.cover, 'image/jpeg'],
      [video.zoomCover[240], 'image/jpeg'],
      [author.avatarThumb, 'image/jpeg'],
    ]) {
      const file = await fetchThrough(lab, url);
      expect([file.status, file.headers['content-type']]).toEqual([200, type]);
      expect(
        (
          await fetchThrough(
            lab,
            url.replace(/(?<=\/[^/]+\/.{5})./, (one: string) => (one === '0' ? '1' : '0')),
          )
        ).status,
      ).toBe(403);
    }
  });
});

describe('pages', () => {
  test('contain more for a desktop than for a phone', async () => {
    const rich = itemIn(await postPage(1));
    const plain = itemIn(await postPage(1, phone));
    expect([rich.video.bitrateInfo.length, typeof rich.stats.collectCount, rich.statsV2.repostCount]).toEqual([
      4,
      'string',
      '0',
    ]);
    expect([plain.video.bitrateInfo, typeof plain.stats.collectCount, plain.statsV2]).toEqual([
      undefined,
      'number',
      undefined,
    ]);
    expect(Object.keys(dataIn(await postPage(3, phone)))).toEqual(
      expect.arrayContaining(['videoDetail', 'commentList']),
    );
    expect(itemIn(await postPage(7)).video.playAddr).toMatch(/^\/\//);
  });

  test('contain photos for desktops only at the video address', async () => {
    const photos = `/@thelab/photo/${documentedId(3)}`;
    expect(itemIn(await page(photos)).id).toBeUndefined();
    expect(itemIn(await page(photos, phone)).imagePost.images).toHaveLength(3);
    expect(itemIn(await postPage(3)).imagePost.images).toHaveLength(3);
  });

  test.each([
    [21, /SlardarWAF/],
    [22, /wci="/],
    [23, /captcha/],
    [24, /SIGI_STATE/],
    [34, /webapp\.i18n\.params/],
  ])('of post %i are a wall for a desktop', async (number, words) => {
    const response = await postPage(number);
    expect(response.body.toString()).toMatch(words);
    expect(itemIn(response).id).toBeUndefined();
  });

  test('contain the post at another address, after a login redirect or at the third request', async () => {
    const canonical = under(dataIn(await postPage(26)), 'canonical')[0];
    expect(canonical).toBe(`https://www.tiktok.com/@thelab/photo/${documentedId(26)}`);
    expect(itemIn(await page(`/@thelab/video/${documentedId(26)}`)).id).toBe(documentedId(26));
    expect((await postPage(27)).headers.location).toContain(`%2Fvideo%2F${documentedId(27)}`);
    expect(itemIn(await postPage(27)).id).toBe(documentedId(27));
    const ids = [itemIn(await postPage(29)).id, itemIn(await postPage(29)).id, itemIn(await postPage(29)).id];
    expect(ids).toEqual([undefined, undefined, documentedId(29)]);
  });

  test('of users have both shapes and embedded boxes', async () => {
    const of = async (name: string) => dataIn(await page(`/@${name}`));
    expect(under(await of('TheLab'), 'statsV2')).toHaveLength(1);
    expect(under(await of('theoldlab'), 'statsV2')).toHaveLength(0);
    expect(under(await of('labnobody'), 'statusCode')).toEqual([10221]);
    expect((await page('/embed/@labembed')).body.toString()).toContain(`"id":"${documentedId(8)}"`);
    expect((await page('/embed/@labembedoff')).body.toString()).not.toContain('videoList');
  });

  test('of oEmbed describe posts for other sites', async () => {
    const at = (id: string) => page(`/oembed?url=https://www.tiktok.com/@_/video/${id}`);
    expect(json(await at(documentedId(31)))).toMatchObject({ embed_product_id: documentedId(31) });
    expect((await at(documentedId(41))).status).toBe(400);
  });
});

test.each([
  ['https://vm.tiktok.com/ZMlab0002/', 301, `/video/${quick}`],
  ['https://www.tiktok.com/t/ZMlabphoto/', 301, `/photo/${documentedId(3)}`],
  ['https://vt.tiktok.com/ZMlablogin', 301, '/login?redirect_url='],
  ['https://vt.tiktok.com/ZMlabwords', 200, undefined],
  ['https://vt.tiktok.com/ZMunknown', 301, 'https://www.tiktok.com/'],
])('the short link %s leads to its documented target', async (url, status, location) => {
  const response = await fetchThrough(lab, url);
  expect([response.status, response.headers.location?.includes(location ?? '')]).toEqual([
    status,
    location === undefined ? undefined : true,
  ]);
});

test.each([
  ['lab-http429', 429],
  ['lab-http503', 503],
  ['lab-is-json', 200],
  ['lab-is-void', 200],
  ['lab-is-half', 200],
  ['lab-is-deep', 200],
  ['lab-is-loop', 302],
  ['lab-is-away', 302],
  ['lab-is-home', 302],
])('the word %s in any address causes its fault', async (word, status) => {
  for (const url of [
    `https://www.tiktok.com/@${word}`,
    `https://www.tiktok.com/@${word}/video/${quick}`,
    `https://www.tiktok.com/embed/@${word}`,
    `https://vm.tiktok.com/${word}`,
  ]) {
    expect((await fetchThrough(lab, url)).status).toBe(status);
  }
});

describe('simulated posts and users', () => {
  test('include a post for every well-formed ID whose time has passed', () => {
    const past = fc.bigInt(1_474_329_600n << 32n, 1_750_000_000n << 32n).map(String);
    fc.assert(
      fc.property(past, (id) => {
        const post = findPost(id);
        expect(post?.id).toBe(id);
        expect(findPost(id)).toEqual(post);
      }),
      { seed: 1 },
    );
    for (const id of ['', '1', `${2_000_000_000n << 32n}`, `${1_000_000_000n << 32n}`, '7559142440960000001x']) {
      expect(findPost(id, 1_800_000_000_000)).toBeUndefined();
    }
  });

  test('have their documented scenarios', () => {
    for (const [id, { about }] of Object.entries(scenarios)) expect(findPost(id)?.about).toBe(about);
    for (const [name, { about }] of Object.entries(users)) expect(userOf(name).about).toBe(about);
    expect(userOf('Any.One')).toEqual(userOf('any.one'));
  });
});
