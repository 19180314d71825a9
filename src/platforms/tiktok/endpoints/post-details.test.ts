import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import type { SourceMedia } from '../../../contract/source-media.ts';
import type { Reply, SeenRequest } from '../../testing/fake-site.ts';
import { detailOf, encode, page, photoItem, postId, videoItem, wafPage } from '../testing/pages.ts';
import {
  desktopPage,
  extractPost,
  ids,
  mobilePage,
  nothing,
  postAddress,
  postEndpoint,
  postRefusal,
  postSite,
  type Replies,
  shell,
} from '../testing/post-site.ts';

const url = postAddress;
const cookies = { 'set-cookie': ['ttwid=1; Domain=.tiktok.com', 'tt_chain_token=to%3Dken==; Path=/; HttpOnly'] };
const refusalPage = (statusCode: number, statusMsg = '') => ({
  body: page({ 'webapp.video-detail': { statusCode, statusMsg } }),
});

describe('a video post', () => {
  it('needs one request and lists the main file, then each encode, but not the watermarked one', async () => {
    const { content, metadata, requests } = await extractPost({ desktop: { body: desktopPage(), headers: cookies } });
    expect(requests.map(({ url, headers }) => [url.href, headers['accept-language']])).toEqual([
      [url, 'en-US,en;q=0.9'],
    ]);
    expect(content.videos).toMatchObject([
      {
        item: {
          label: '540p',
          repId: 'main',
          url: expect.stringMatching(/^https:\/\/v16-webapp-prime\.tiktok\.com\//),
          metadata: { width: 540, height: 1080, main: true, codecs: 'avc1', content_length: 1800, has_audio: true },
        },
        stream: { ext: 'mp4', kind: 'muxed', bytes: 1800, videoCodec: 'h264', audioCodec: 'aac' },
      },
      { item: { label: '1080p', repId: 'adapt_1080_1', metadata: { main: false, codecs: 'hvc1', fps: 30 } } },
    ]);
    expect(JSON.stringify(content)).not.toContain('watermarked');
    expect(metadata).toMatchObject({
      title: 'A video #one @two',
      author: { handle: 'two.three', followerCount: 9901, videoCount: 3 },
      additionalData: {
        source: 'desktop',
        statistics: { viewCount: 10001, likeCount: 5, saveCount: 7 },
        tags: ['one'],
        mentions: [{ handle: 'two', id: '8' }],
        music: { id: '77', original: true },
      },
    });
  });

  it("requires its own page's cookie, which is sent only to hosts of the site", async () => {
    const { content } = await extractPost({ desktop: { body: desktopPage(), headers: cookies } });
    const [video] = content.videos ?? [];
    expect(video?.stream?.headers).toEqual({
      referer: 'https://www.tiktok.com/',
      'user-agent': expect.stringContaining('Windows'),
      cookie: 'tt_chain_token=to%3Dken==',
    });
    expect(video?.stream?.relayOnly).toBe(true);
    expect(content.audios?.[0]?.stream).not.toHaveProperty('headers');
    expect(
      JSON.stringify([content.videos, content.audios, content.images].flat().map((one) => one?.item)),
    ).not.toContain('ken==');
    const without = await extractPost({ desktop: { body: desktopPage() } });
    expect(without.content.videos?.[0]?.stream?.headers).not.toHaveProperty('cookie');
  });

  it("falls back to the mobile page, with a mobile browser's user agent", async () => {
    const { content, metadata } = await extractPost({
      desktop: { body: wafPage },
      mobile: { body: mobilePage({ ...videoItem, video: { ...videoItem.video, bitrateInfo: undefined } }) },
    });
    expect(ids(content.videos)).toEqual(['main']);
    expect(content.videos?.[0]?.stream?.headers?.['user-agent']).toContain('iPhone');
    expect(metadata.additionalData?.source).toBe('mobile');
  });

  it('has the first comments if the page contains them', async () => {
    const commentList = {
      total: 7,
      comments: [
        {
          cid: '1',
          text: 'Nice',
          create_time: 1776830124,
          digg_count: 3,
          reply_comment_total: 0,
          user: { uid: '2', nickname: 'Me', unique_id: 'me', avatar_thumb: { url_list: ['https://p16.example/a'] } },
        },
        { text: 'without an id' },
      ],
    };
    const body = page({ videoDetail: detailOf(videoItem), commentList }, 'api-data');
    const { metadata } = await extractPost({ mobile: { body } });
    expect(metadata.comments).toEqual({
      header: { count: 7 },
      threads: [
        {
          type: 'comment',
          id: '1',
          author: {
            id: '2',
            name: 'Me',
            handle: 'me',
            url: 'https://www.tiktok.com/@me',
            thumbnails: [{ url: 'https://p16.example/a' }],
          },
          text: 'Nice',
          publishedAt: '2026-04-22T03:55:24.000Z',
          likeCount: 3,
          replyCount: 0,
        },
      ],
      nextToken: null,
    });
  });

  it("has the video's dimensions for its main file and its covers if only the video states them", async () => {
    const bitrateInfo = videoItem.video.bitrateInfo.map((row) =>
      JSON.parse(JSON.stringify(row).replaceAll(/"(?:Width|Height)":\d+,/g, '')),
    );
    const zoomCover = { 240: 'https://p16-common-sign.tiktokcdn.com/a~tplv-photomode-zoomcover:240:240.jpeg' };
    const { content } = await extractPost({
      desktop: { body: desktopPage({ ...videoItem, video: { ...videoItem.video, bitrateInfo, zoomCover } }) },
    });
    const sizes = (media: readonly SourceMedia[] = []) =>
      media.map(({ item: { repId, metadata } }) => [repId, metadata.width, metadata.height]);
    expect(sizes(content.videos)[0]).toEqual(['main', 540, 1080]);
    expect(sizes(content.images)).toEqual([
      ['cover', 540, 1080],
      ['zoom_cover_240', 240, 240],
    ]);
  });

  it("has the hashtags of its caption in their own spelling, and the site's further ones", async () => {
    const item = {
      ...videoItem,
      desc: 'A #QuédateEnCasa, #हिन्दी',
      textExtra: [{ hashtagName: 'quédateencasa' }, { hashtagName: 'हिन्दी' }],
      challenges: [{ title: 'quédateencasa' }, { title: 'more' }],
    };
    const { metadata } = await extractPost({ desktop: { body: desktopPage(item) } });
    expect(metadata.additionalData).toMatchObject({
      hashtags: ['QuédateEnCasa', 'हिन्दी', 'more'],
      tags: ['quédateencasa', 'हिन्दी'],
    });
    const bare = { ...photoItem, textExtra: [], imagePost: { ...photoItem.imagePost, title: 'Two #photos' } };
    const photos = await extractPost({ desktop: { body: desktopPage(bare) } });
    expect(photos.metadata.additionalData).toMatchObject({ hashtags: ['photos'] });
    expect(photos.metadata.additionalData).not.toHaveProperty('tags');
  });

  it('omits unplayable files and marks a file without audio', async () => {
    const silent = encode('silent', 'h265_hvc1', 720, 700);
    const bitrateInfo = [
      encode('vvc', 'h266_vvc', 2160, 10),
      JSON.parse(JSON.stringify(silent).replaceAll('/video/tos', '/media-video-hvc1/tos')),
    ];
    const { content } = await extractPost({ desktop: { body: desktopPage({ ...videoItem, video: { bitrateInfo } }) } });
    expect(content.videos).toMatchObject([
      { item: { repId: 'silent', metadata: { has_audio: false } }, stream: { kind: 'video' } },
    ]);
  });
});

describe('a photo post', () => {
  it('has its photos in order, in the most compatible format, and its music', async () => {
    const { content, metadata } = await extractPost({ desktop: { body: desktopPage(photoItem) } });
    expect(content.videos).toBeUndefined();
    expect(content.images?.map(({ item }) => [item.repId, item.label, item.url.split('?')[0]])).toEqual([
      ['photo_1', '1080x1440', 'https://p19-sign.tiktokcdn.com/a~tplv-photomode-image.jpeg'],
      ['photo_2', '1080x1440', 'https://p19-sign.tiktokcdn.com/b~tplv-photomode-image.jpeg'],
    ]);
    expect(ids(content.audios)).toEqual(['77']);
    expect(metadata).toMatchObject({
      title: 'Two photos',
      thumbnailUrl: expect.stringContaining('/cover~'),
      additionalData: { type: 'photo', imageCount: 2 },
    });
  });

  it('lists first the part of the music that plays with the photos', async () => {
    const playAddr = 'https://v16-webapp-prime.tiktok.com/part/?mime_type=audio_mp4&tk=tt_chain_token';
    const item = { ...photoItem, video: { ...photoItem.video, playAddr } };
    const { content } = await extractPost({ desktop: { body: desktopPage(item), headers: cookies } });
    expect(content.audios).toMatchObject([
      { item: { repId: 'soundtrack' }, stream: { ext: 'm4a', headers: { referer: 'https://www.tiktok.com/' } } },
      { item: { repId: '77' }, stream: { ext: 'mp3', secondary: true } },
    ]);
  });

  it.each<[string, Reply, string, string | undefined]>([
    ['MP4', { status: 206, body: '\0\0\0\u0020ftypM4A ' }, 'audio/mp4', 'm4a'],
    ['MP3 by its tag', { body: 'ID3\u0004' }, 'audio/mpeg', 'mp3'],
    ['MP3 by content type', { body: '?', headers: { 'content-type': 'audio/mpeg' } }, 'audio/mpeg', 'mp3'],
    [
      'an unknown format',
      { body: '<html>', headers: { 'content-type': 'text/html' } },
      'application/octet-stream',
      undefined,
    ],
    ['status 403', { status: 403, body: 'ID3' }, 'application/octet-stream', undefined],
    ['unreachable', new MillraceError('connection_error', 'x'), 'application/octet-stream', undefined],
  ])('detects the format of music whose link does not name it: %s', async (_name, others, mime, ext) => {
    const music = { ...photoItem.music, playUrl: 'https://sf9-ies-music-sg.tiktokcdn.com/obj/a' };
    const { content, requests } = await extractPost({
      desktop: { body: desktopPage({ ...photoItem, music }) },
      others: () => others,
    });
    expect(requests[1]?.headers).toMatchObject({ range: 'bytes=0-63' });
    expect(content.audios?.[0]?.item.metadata.mime_type).toBe(mime);
    expect(content.audios?.[0]?.stream?.ext).toBe(ext);
  });
});

describe('the fallback chain', () => {
  it('requests each page three times and returns no result without the media', async () => {
    const { context, requests } = postSite({ desktop: { body: wafPage } });
    await expect(postEndpoint?.extract({ url }, context)).rejects.toMatchObject({
      code: 'non_2xx_response',
      retryable: true,
      message: expect.stringContaining('a bot check'),
    });
    expect(requests.map(({ headers }) => headers['user-agent']?.includes('iPhone'))).toEqual([
      ...[false, true, false, true, false, true],
    ]);
    expect(requests.some(({ headers }) => 'cookie' in headers)).toBe(false);
  });

  it('uses the second response of a page that failed at first', async () => {
    let requestCount = 0;
    const desktop = () => {
      requestCount += 1;
      return requestCount === 1 ? { body: shell } : { body: desktopPage() };
    };
    const { metadata } = await extractPost({ desktop });
    expect(metadata.additionalData?.source).toBe('desktop');
  });

  it('requests the page again at the address that the page names as its own', async () => {
    const canonical = `https://www.tiktok.com/@real/photo/${postId}`;
    const { requests } = await extractPost({
      desktop: ({ url }) => ({
        body: url.pathname.startsWith('/@real/') ? desktopPage() : page({ 'seo.abtest': { canonical } }),
      }),
    });
    expect(requests.map(({ url }) => url.pathname)).toEqual([`/@two.three/video/${postId}`, `/@real/video/${postId}`]);
  });

  it('requests the page behind a login once', async () => {
    const behind = encodeURIComponent(`https://www.tiktok.com/@real/video/${postId}`);
    const login = { body: '', url: `https://www.tiktok.com/login?redirect_url=${behind}` };
    const { requests } = await extractPost({
      desktop: ({ url }) => (url.pathname.startsWith('/@real/') ? { body: desktopPage() } : login),
    });
    expect(requests).toHaveLength(2);
    const error = await postRefusal({ desktop: login, mobile: login });
    expect(error).toMatchObject({ code: 'signin_required', retryable: false });
  });

  it('tries another country before it reports that a post is gone', async () => {
    const desktop = ({ country }: SeenRequest) =>
      country === 'FR' ? { body: desktopPage() } : refusalPage(10204, "item doesn't exist");
    const { country, requests } = await extractPost({ desktop }, { countries: ['FR', 'DE'] });
    expect([country, requests.map((request) => request.country)]).toEqual(['FR', [undefined, 'FR']]);
    const error = await postRefusal({ desktop: refusalPage(10204, "item doesn't exist") }, { countries: ['FR'] });
    expect(error).toMatchObject({ code: 'not_found', reason: "item doesn't exist" });
    const withoutFrance = ({ country }: SeenRequest): Reply => (country === 'FR' ? nothing : refusalPage(10231));
    expect(await postRefusal({ desktop: withoutFrance }, { countries: ['FR'] })).toMatchObject({ code: 'unavailable' });
    const second = ({ country }: SeenRequest): Reply =>
      country === 'DE' ? { body: desktopPage() } : country === 'FR' ? nothing : refusalPage(10231);
    expect((await extractPost({ desktop: second }, { countries: ['FR', 'DE'] })).country).toBe('DE');
  });

  it('stops when no caller is waiting any more', async () => {
    const disconnection = new AbortController();
    const desktop = () => {
      disconnection.abort();
      return new MillraceError('connection_error', 'x');
    };
    expect(await postRefusal({ desktop }, { signal: disconnection.signal })).toMatchObject({
      code: 'connection_error',
    });
  });
});

describe('the client profile of a video', () => {
  const poor = { body: mobilePage({ ...videoItem, video: { ...videoItem.video, bitrateInfo: undefined } }) };
  const mobileFirst = { profileOrder: () => ['mobile', 'desktop'] };

  it('is named when the other one failed and fewer files are left', async () => {
    const { profile, notes } = await extractPost({ desktop: { body: wafPage }, mobile: poor });
    expect(profile).toBe('mobile');
    expect(notes).toEqual([
      'Some qualities are missing: the links come from the client profile mobile (highest quality: 540p), ' +
        'because desktop returned none. TikTok returned a bot check. Try again in a moment.',
    ]);
    const whole = await extractPost({ desktop: { body: wafPage }, mobile: { body: mobilePage() } });
    expect([whole.profile, whole.notes]).toEqual(['mobile', []]);
  });

  it('is tried first when media of the other one was recently refused', async () => {
    const { profile, notes, requests } = await extractPost({ mobile: poor }, mobileFirst);
    expect(requests).toHaveLength(1);
    expect(profile).toBe('mobile');
    expect(notes?.[0]).toMatch(/^Some qualities are missing: .* because media of desktop was recently refused\.$/);
  });

  it('is not in a note when the preferred one is used after all', async () => {
    const { profile, notes } = await extractPost(
      { desktop: { body: desktopPage() }, mobile: { body: wafPage } },
      mobileFirst,
    );
    expect([profile, notes]).toEqual(['desktop', []]);
  });
});

describe('a requested strategy', () => {
  it.each([
    ['desktop', false],
    ['mobile', true],
  ])('is used alone: %s', async (strategy, isMobile) => {
    expect(postEndpoint?.strategies).toContain(strategy);
    const both = { desktop: { body: desktopPage() }, mobile: { body: mobilePage() } };
    const { metadata, requests } = await extractPost(both, { strategy });
    expect(metadata.additionalData?.source).toBe(strategy);
    expect(requests.map(({ headers }) => headers['user-agent']?.includes('iPhone'))).toEqual([isMobile]);
    expect((await postRefusal({}, { strategy })).code).toBe('non_2xx_response');
  });
});

describe('a refusal', () => {
  it.each<[string, Replies, string]>([
    ['gone', { desktop: refusalPage(10204, "item doesn't exist") }, 'not_found'],
    ['deleted', { desktop: refusalPage(10204, 'status_deleted') }, 'not_found'],
    ['without a text', { desktop: refusalPage(10204) }, 'not_found'],
    ['only for its author', { desktop: refusalPage(10204, 'status_self_see') }, 'unavailable'],
    ['under review', { desktop: refusalPage(10204, 'status_reviewing') }, 'unavailable'],
    ['rejected', { desktop: refusalPage(10204, 'status_audit_not_pass') }, 'unavailable'],
    ['for a region', { desktop: refusalPage(10204, 'copyright_geo_filter') }, 'unavailable'],
    ['for a region, by code', { desktop: refusalPage(10231) }, 'unavailable'],
    ['private post', { desktop: refusalPage(10216) }, 'unavailable'],
    ['private account', { desktop: refusalPage(10222) }, 'unavailable'],
    ['classified', { desktop: refusalPage(10204, 'content_classification') }, 'age_restricted'],
    ['a text that is a member of every object', { desktop: refusalPage(10204, 'constructor') }, 'unavailable'],
    ['unknown', { desktop: refusalPage(99_999, 'x') }, 'unavailable'],
    [
      'classified without a status',
      { desktop: { body: desktopPage({ ...videoItem, video: undefined, isContentClassified: true }) } },
      'age_restricted',
    ],
    ['no file', { desktop: { body: desktopPage({ ...videoItem, video: { playAddr: '' } }) } }, 'unavailable'],
    [
      'only files that no player supports',
      {
        desktop: {
          body: desktopPage({ ...videoItem, video: { playAddr: '', bitrateInfo: [encode('a', 'h266_vvc', 2, 1)] } }),
        },
      },
      'unavailable',
    ],
    ['no photos', { desktop: { body: desktopPage({ ...photoItem, imagePost: { images: [] } }) } }, 'unavailable'],
    ['no media', { desktop: { body: desktopPage({ id: postId }) } }, 'invalid_response_data'],
    ['another post', { desktop: { body: desktopPage({ ...videoItem, id: '1' }) } }, 'invalid_response_data'],
    ['broken data', { desktop: { body: desktopPage().replace('":', '"') } }, 'invalid_response_data'],
    ['bot check', { desktop: { body: wafPage } }, 'non_2xx_response'],
    ['captcha', { desktop: { body: '<html>verify that you are human</html>' } }, 'non_2xx_response'],
    ['empty shell', { desktop: { body: shell } }, 'non_2xx_response'],
    ['rate limit', { desktop: { status: 429, body: '' } }, 'non_2xx_response'],
    ['another site', { desktop: { body: desktopPage(), url: 'https://evil.example/' } }, 'unexpected_redirect'],
    ['a post without an id', { desktop: { body: desktopPage({}) } }, 'invalid_response_data'],
    ['no page', { desktop: { status: 404, body: '' } }, 'not_found'],
    ['no connection', { desktop: new MillraceError('connection_error', 'x') }, 'connection_error'],
    ['no time', { desktop: new MillraceError('operation_timeout', 'x') }, 'operation_timeout'],
  ])('is reported: %s', async (_name, replies, code) => {
    const error = await postRefusal(replies);
    expect(error.code).toBe(code);
    expect(error.message).not.toBe('');
  });
});

describe('a short link', () => {
  const link = 'https://vm.tiktok.com/ZMabc12/';
  const leading = (reply: Reply): Replies => ({ desktop: { body: desktopPage() }, others: () => reply });

  it.each<[string, Reply]>([
    ['a redirect to the address of photos', { url: url.replace('/video/', '/photo/'), body: shell }],
    [
      'an intermediate login page',
      { url: `https://www.tiktok.com/login?redirect_url=${encodeURIComponent(url)}`, body: '' },
    ],
    ['a text instead of a redirect', { body: `<a href="${url}?a=1&amp;b=2">Moved</a>` }],
  ])('is resolved by %s', async (_name, reply) => {
    const { content, requests } = await extractPost(leading(reply), { link });
    expect(ids(content.videos)).toEqual(['main', 'adapt_1080_1']);
    expect(requests.map(({ url }) => url.hostname)).toEqual(['vm.tiktok.com', 'www.tiktok.com']);
  });

  it("leads to a page that is read without another request, with that page's cookie for the media", async () => {
    const landing = { url: `${url}?_r=1`, body: desktopPage(), headers: cookies };
    const { content, metadata, requests } = await extractPost({ others: () => landing }, { link });
    expect(requests.map((request) => request.url.href)).toEqual([link]);
    expect(content.videos?.[0]?.stream?.headers?.cookie).toBe('tt_chain_token=to%3Dken==');
    expect(metadata.additionalData?.source).toBe('desktop');
    const refusalLanding = { url, ...refusalPage(10204) };
    const elsewhere = await extractPost(
      { desktop: { body: desktopPage() }, others: () => refusalLanding },
      { link, countries: ['FR'] },
    );
    expect(elsewhere.country).toBe('FR');
  });

  it.each<[string, Reply, string]>([
    ['the front page', { url: 'https://www.tiktok.com/?_r=1', body: '' }, 'not_found'],
    ['a missing page', { url: 'https://www.tiktok.com/hk/notfound', body: '' }, 'not_found'],
    ['a profile', { url: 'https://www.tiktok.com/@name?_r=1', body: '' }, 'invalid_url'],
    ['another site', { url: 'https://evil.example/', body: '' }, 'unexpected_redirect'],
    ['a login', { url: 'https://www.tiktok.com/login', body: '' }, 'signin_required'],
    ['a bot check', { body: wafPage }, 'non_2xx_response'],
    ['a status', { status: 404, body: '' }, 'not_found'],
    [
      'a missing page with links',
      { url: 'https://www.tiktok.com/hk/notfound', body: `<a href="${url}">` },
      'not_found',
    ],
    ['itself', { body: `<a href="${link}">` }, 'non_2xx_response'],
  ])('that leads to %s is refused', async (_name, reply, code) => {
    const error = await postRefusal(leading(reply), { link });
    expect(error.code).toBe(code);
  });
});
