import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { fakeSite, type Reply, type SeenRequest } from '../../testing/fake-site.ts';
import { createFacebook } from '../index.ts';
import { gonePage, loginPage, postId, postPage, profilePage, reelId, reelPage, sitePage } from '../testing/pages.ts';

const site = 'https://www.facebook.com';
const reel = `${site}/reel/${reelId}`;

function extract(url: string, reply: (request: SeenRequest) => Reply) {
  const { context, requests } = fakeSite(reply);
  const [details] = createFacebook().endpoints;
  if (details === undefined) throw new Error('there is no endpoint');
  return { requests, extraction: details.extract({ url }, context) };
}

const paths = (requests: readonly SeenRequest[]) =>
  requests.map(({ url }) => `${url.hostname.split('.')[0]}${url.pathname}`);

describe('a reel', () => {
  it("is fetched with one request that has a browser's headers", async () => {
    const { extraction, requests } = extract(`see ${reel} !`, () => ({ body: reelPage() }));
    const { contents, metadata } = await extraction;
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers).toMatchObject({ 'sec-fetch-mode': 'navigate', 'accept-language': 'en-US,en;q=0.9' });
    expect(contents?.[0]?.videos?.map(({ item, stream }) => [item.label, stream?.kind])).toEqual([
      ['native_hd', 'muxed'],
      ['native_sd', 'muxed'],
      ['720p', 'video'],
    ]);
    expect(contents?.[0]?.audios?.[0]?.item.repId).toBe('7a');
    expect(contents?.[0]?.images?.[0]?.item.label).toBe('720x1280');
    expect(metadata).toMatchObject({
      title: 'A reel #one',
      author: { handle: 'creator' },
      additionalData: { source: 'reel', commentCount: 7, shareCount: 1200, hashtags: ['one'] },
    });
  });

  it.each<[string, (request: SeenRequest) => Reply, string, string[]]>([
    [
      'the watch page when the reel page is walled',
      ({ url }) => ({ body: url.pathname.startsWith('/reel') ? loginPage : reelPage() }),
      'watch',
      ['www/reel/1380134307388381', 'www/watch/'],
    ],
    [
      'the other host when both are walled',
      ({ url }) => ({ body: url.hostname.startsWith('web') ? reelPage() : loginPage }),
      'reel, web host',
      ['www/reel/1380134307388381', 'www/watch/', 'web/reel/1380134307388381'],
    ],
    [
      'the embedded player, where nothing else answers',
      ({ url }) =>
        url.pathname.startsWith('/plugins')
          ? { body: `{"video_id":"${reelId}","hd_src":"https:\\/\\/video.xx.fbcdn.net\\/e.mp4"}` }
          : new MillraceError('connection_error', 'no'),
      'embed',
      ['www/reel/1380134307388381', 'www/watch/', 'web/reel/1380134307388381', 'www/plugins/video.php'],
    ],
  ])('is found on %s', async (_, reply, source, addresses) => {
    const { extraction, requests } = extract(reel, reply);
    const { contents, metadata } = await extraction;
    expect(metadata.additionalData?.source).toBe(source);
    expect(contents?.[0]?.videos?.[0]?.item.label).toBe('native_hd');
    expect(paths(requests)).toEqual(addresses);
  });

  const titled = (path: string) =>
    reelPage().replace(
      '<head>',
      `<head><meta property="og:url" content="${site}${path}" /><meta property="og:title" content="9K views | T | O" />` +
        '<meta property="og:image" content="https://scontent.xx.fbcdn.net/og.jpg?cstp=mx2000x2000&amp;ctp=s2000x2000" />',
    );

  it("has the play count and the image of its page's head when that describes the reel", async () => {
    const { metadata } = await extract(reel, () => ({ body: titled(`/x/videos/a-title/${reelId}/`) })).extraction;
    expect(metadata.additionalData).toMatchObject({ playCount: 9000, playCountText: '9K views' });
    expect(metadata.thumbnailUrl).toContain('/og.jpg');
  });

  it.each([
    ['another reel', '/reel/1380134307388399/'],
    ['a profile', '/creator'],
  ])('does not have the play count and the image of a head that describes %s', async (_, path) => {
    const { metadata } = await extract(reel, () => ({ body: titled(path) })).extraction;
    expect(Object.keys(metadata.additionalData ?? {})).not.toContain('playCount');
    expect(metadata.thumbnailUrl).toContain('/t.jpg');
  });

  it.each([
    [{ video_title: { text: 'Its title' }, savable_title: { text: 'Other' } }, 'Its title'],
    [{ savable_title: { text: 'Saved as' } }, 'Saved as'],
    [{ title: { text: 'Title' }, video_title: { text: 'Other' } }, 'Title'],
  ])('has the title in %j and its text as the caption', async (members, title) => {
    const { metadata } = await extract(reel, () => ({ body: reelPage(members) })).extraction;
    expect(metadata).toMatchObject({ title, additionalData: { caption: 'A reel #one' } });
  });

  it('has the views and the transcript of its watch page', async () => {
    const operation = 'CometVideoHomeNewPermalinkHeroUnitQuery';
    const media = { __typename: 'Video', id: reelId, playable_url: 'https://video.xx.fbcdn.net/w.mp4' };
    const views = { feedback: { play_count: 453_802, video_view_count: 98_213 } };
    const info = { video_home_www_loe_video_permalink_seo_info: { transcript: 'Spoken words.' } };
    const html = sitePage([
      { operation, data: { video: { id: reelId, story: { id: 's', attachments: [{ media }] } } } },
      {
        operation,
        label: 'L',
        path: ['video'],
        data: { id: reelId, feedback: { id: 'f', video_view_count_renderer: views } },
      },
      { operation: 'CometVideoHomeNewPermalinkAuxiliaryQuery', data: { video: { id: reelId, ...info } } },
    ]);
    const { metadata } = await extract(reel, ({ url }) =>
      url.pathname === '/watch/' ? { body: html } : { body: loginPage },
    ).extraction;
    expect(metadata.additionalData).toMatchObject({
      source: 'watch',
      playCount: 453_802,
      viewCount: 98_213,
      transcript: 'Spoken words.',
    });
  });

  it("is read from the page's text when its query results cannot be parsed", async () => {
    const title = '9K views &#xb7; 1 reaction | T | Owner';
    const head =
      `<meta property="og:url" content="${site}/x/videos/${reelId}/" />` +
      `<meta property="og:title" content="${title}" />`;
    const body = '"browser_native_sd_url":"https:\\/\\/video.xx.fbcdn.net\\/r.mp4?a=1\\u0026b=2"';
    const { contents, metadata } = await extract(reel, () => ({ body: sitePage([], { head, body }) })).extraction;
    expect(contents?.[0]?.videos?.[0]?.item.url).toBe('https://video.xx.fbcdn.net/r.mp4?a=1&b=2');
    expect(metadata.title).toBe('T');
  });

  it("uses the page's player list when the manifest is broken", async () => {
    const html = reelPage({
      videoDeliveryLegacyFields: { id: reelId, dash_manifest_xml_string: '<MPD><!DOCTYPE x [<!ENTITY a "b">]>' },
    });
    const prefetch = {
      video_id: reelId,
      representations: [
        {
          representation_id: '9v',
          mime_type: 'video/mp4',
          codecs: 'av01.0',
          base_url: 'https://video.xx.fbcdn.net/9',
          bandwidth: 5,
          width: 640,
          height: 360,
        },
        {
          representation_id: '9a',
          mime_type: 'audio/mp4',
          codecs: 'mp4a.40.5',
          base_url: 'https://video.xx.fbcdn.net/8',
          bandwidth: 4,
          width: 0,
          height: 0,
        },
      ],
    };
    const extra = sitePage([
      {
        operation: 'Any',
        data: {},
        extensions: { all_video_dash_prefetch_representations: [{ video_id: '1' }, prefetch] },
      },
    ]);
    const { contents } = await extract(reel, () => ({ body: html + extra })).extraction;
    expect(contents?.[0]?.videos?.map(({ item }) => [item.label, item.repId])).toEqual([['360p', '9v']]);
    expect(contents?.[0]?.audios?.[0]?.item.metadata).toMatchObject({ width: 0, has_audio: true });
  });

  it.each<[string, Reply, string, boolean]>([
    ['sign-in walls everywhere', { body: loginPage }, 'signin_required', true],
    ['a redirect to the login', { url: `${site}/login/?next=x`, body: 'x' }, 'signin_required', true],
    ['a checkpoint', { url: `${site}/checkpoint/1`, body: 'x' }, 'non_2xx_response', true],
    ['a page that is gone', { body: gonePage }, 'unavailable', false],
    ['status 404', { status: 404, body: '' }, 'unavailable', false],
    ['status 429', { status: 429, body: '' }, 'non_2xx_response', true],
    ['status 400', { status: 400, body: '' }, 'non_2xx_response', true],
    ['another video', { body: reelPage().replaceAll(reelId, '1380134307388399') }, 'not_found', false],
    ['an empty page', { body: '' }, 'non_2xx_response', true],
    ['a page truncated before its query results', { body: reelPage().slice(0, 700) }, 'non_2xx_response', true],
    ['a page truncated within its query results', { body: postPage().slice(0, -7) }, 'invalid_response_data', true],
    [
      'an age gate',
      { body: reelPage({ uiInterstitialContent: { title: { text: 'You must be 18' } } }) },
      'age_restricted',
      false,
    ],
    ['another site', { url: 'https://a.example/x', status: 404, body: '' }, 'unexpected_redirect', true],
    [
      'a warning',
      { body: reelPage({ videoDeliveryLegacyFields: null, uiInterstitialContent: { title: 'Sensitive' } }) },
      'unavailable',
      false,
    ],
    [
      'a live broadcast',
      { body: reelPage({ videoDeliveryLegacyFields: null, is_live_streaming: true }) },
      'unavailable',
      true,
    ],
    ['no answer', new MillraceError('operation_timeout', 'late'), 'operation_timeout', true],
  ])('is refused after %s', async (_, reply, code, retryable) => {
    await expect(extract(reel, () => reply).extraction).rejects.toMatchObject({ code, retryable });
  });
});

describe('a post', () => {
  it('has one content item per photo and video, in order', async () => {
    const { contents, metadata } = await extract(`${site}/creator/posts/${postId}`, () => ({ body: postPage() }))
      .extraction;
    expect(contents?.map(({ videos, images }) => (videos ?? images)?.[0]?.item.label)).toEqual([
      '200x100',
      'native_sd',
      '300x100',
    ]);
    expect(metadata).toMatchObject({
      title: 'An album',
      author: { id: '100044561550831', name: 'A Creator' },
      additionalData: { postId, source: 'post', publishedAt: '2026-07-27T21:35:22.000Z' },
    });
  });

  it('with an opaque name is resolved to the post that the page displays', async () => {
    const { metadata } = await extract(`${site}/creator/posts/pfbid0zzzzzzzzzzzz`, () => ({ body: postPage() }))
      .extraction;
    expect(metadata.additionalData?.postId).toBe(postId);
  });

  it('without media is returned with its text', async () => {
    const { contents, metadata } = await extract(`${site}/creator/posts/${postId}`, () => ({
      body: postPage({ attachments: [] }),
    })).extraction;
    expect(contents).toEqual([]);
    expect(metadata.title).toBe('An album');
  });

  it("that shares another post has that post's media", async () => {
    const shared = {
      id: 'UzpfS3',
      post_id: '999',
      message: { text: 'Inner' },
      attachments: [
        {
          media: {
            __typename: 'Photo',
            id: '5',
            image: { uri: 'https://scontent.xx.fbcdn.net/5.jpg', width: 4, height: 3 },
          },
        },
      ],
    };
    const { contents, metadata } = await extract(`${site}/creator/posts/${postId}`, () => ({
      body: postPage({ attachments: [], attached_story: shared }),
    })).extraction;
    expect(contents?.[0]?.images?.[0]?.item.label).toBe('4x3');
    expect(metadata.additionalData?.sharedPost).toMatchObject({ id: '999', text: 'Inner' });
  });

  it('omits a video with an age gate', async () => {
    const { extraction } = extract(`${site}/creator/posts/${postId}`, () => ({
      body: postPage().replace(
        '"playable_url"',
        '"uiInterstitialContent":{"title":{"text":"18+ only, by age"}},"playable_url"',
      ),
    }));
    expect((await extraction).contents?.map(({ videos }) => videos)).toEqual([undefined, undefined]);
  });

  it('behind a sign-in wall is requested from the other host', async () => {
    const { extraction, requests } = extract(`${site}/groups/g/posts/${postId}`, ({ url }) => ({
      body: url.hostname.startsWith('web') ? postPage() : loginPage,
    }));
    expect((await extraction).metadata.additionalData?.source).toBe('post, web host');
    expect(requests[1]?.url.href).toBe(`https://web.facebook.com/groups/g/posts/${postId}?_rdc=1&_rdr`);
  });
});

it("reads a photo from its page, with all its sizes and its post's text", async () => {
  const currMedia = {
    __typename: 'Photo',
    id: '123456',
    image: { uri: 'https://scontent.xx.fbcdn.net/l.jpg', width: 2048, height: 1024 },
    thumbnailImage: { uri: 'https://scontent.xx.fbcdn.net/s.jpg', width: 200, height: 100 },
    owner: { id: '9', name: 'O', url: `${site}/owner` },
    container_story: { id: 'UzpfS9', post_id: '77', message: { text: 'Words' } },
    created_time: 1785188122,
  };
  const html = sitePage([{ operation: 'CometPhotoRootContentQuery', data: { currMedia } }]);
  const { extraction, requests } = extract(`${site}/owner/photos/a.5/123456/`, () => ({ body: html }));
  const { contents, metadata } = await extraction;
  expect(requests[0]?.url.href).toBe(`${site}/photo/?fbid=123456&set=a.5`);
  expect(contents?.[0]?.images?.map(({ item }) => item.label)).toEqual(['2048x1024', '200x100']);
  expect(metadata).toMatchObject({
    title: 'Words',
    author: { handle: 'owner' },
    additionalData: { postId: '77', publishedAt: '2026-07-27T21:35:22.000Z', source: 'photo' },
  });
});

it('marks a video without audio as silent', async () => {
  const { contents } = await extract(reel, () => ({ body: reelPage({ audio_availability: 'UNAVAILABLE' }) }))
    .extraction;
  expect(contents?.[0]?.videos?.[0]).toMatchObject({
    item: { metadata: { has_audio: false } },
    stream: { kind: 'video' },
  });
});

describe('sign-in walls', () => {
  /** Requests several reels from one service. The site serves only those marked as public. */
  async function codes(reels: readonly [id: string, isPublic: boolean][]) {
    const [details] = createFacebook().endpoints;
    const outcomes: unknown[] = [];
    for (const [id, isPublic] of reels) {
      const { context } = fakeSite(() => ({ body: isPublic ? reelPage().replaceAll(reelId, id) : loginPage }));
      const outcome = await details?.extract({ url: `${site}/reel/${id}` }, context).catch((error: unknown) => error);
      outcomes.push(outcome instanceof MillraceError ? [outcome.code, outcome.retryable] : 'shown');
    }
    return outcomes;
  }

  it('are treated as a rate limit when the post was served recently', async () => {
    expect(
      await codes(
        [
          ['1001', true],
          ['1002', false],
          ['1001', false],
        ].map(([id, isPublic]) => [`138013430738${id}`, isPublic === true]),
      ),
    ).toEqual(['shown', ['signin_required', true], ['non_2xx_response', true]]);
  });

  it('are treated as a rate limit when several reels in a row are walled', async () => {
    const reels = ['1001', '1002', '1003', '1004'].map((end): [string, boolean] => [`138013430738${end}`, false]);
    expect((await codes(reels)).at(-1)).toEqual(['non_2xx_response', true]);
    expect(
      (await codes([...reels.slice(0, 3), ['1380134307381005', true], ['1380134307381004', false]])).at(-1),
    ).toEqual(['signin_required', true]);
  });
});

describe('a short link', () => {
  it('is followed, and the page that it leads to is read', async () => {
    const { extraction, requests } = extract('https://fb.watch/abc/', () => ({ url: reel, body: reelPage() }));
    expect((await extraction).metadata.additionalData?.source).toBe('short link');
    expect(requests).toHaveLength(1);
  });

  it("that leads to a wall is resolved from the wall's address", async () => {
    const next = `${site}/login/?next=${encodeURIComponent(reel)}`;
    const { extraction, requests } = extract(`${site}/share/r/abc`, ({ url }) =>
      url.pathname.startsWith('/share') ? { url: next, body: loginPage } : { body: reelPage() },
    );
    expect((await extraction).metadata.additionalData?.source).toBe('reel');
    expect(requests).toHaveLength(2);
  });

  it('that is walled is requested from the other host', async () => {
    const { extraction, requests } = extract(`${site}/share/r/abc`, ({ url }) =>
      url.hostname.startsWith('web') ? { url: reel, body: reelPage() } : { body: loginPage },
    );
    expect((await extraction).metadata.additionalData?.source).toBe('short link');
    expect(paths(requests)).toEqual(['www/share/r/abc', 'web/share/r/abc']);
    const walled = extract('https://fb.watch/abc/', () => ({ body: loginPage }));
    await expect(walled.extraction).rejects.toMatchObject({ code: 'signin_required', retryable: true });
    expect(paths(walled.requests)).toEqual(['fb/abc/']);
  });

  it.each<[string, Reply, string]>([
    ['nowhere', { body: sitePage([{ operation: 'useCometLogInFormQuery', data: {} }]) }, 'unavailable'],
    ['a page without data', { body: sitePage([]) }, 'non_2xx_response'],
    ['a profile', { url: `${site}/creator`, body: profilePage() }, 'invalid_url'],
    ['another site', { url: 'https://a.example/', status: 404, body: '' }, 'invalid_url'],
    ['a wall', { body: loginPage }, 'signin_required'],
  ])('that leads to %s is refused', async (_, reply, code) => {
    await expect(extract(`${site}/share/v/abc`, () => reply).extraction).rejects.toMatchObject({ code });
  });
});

it.each([
  ['https://www.facebook.com/creator', 'invalid_url'],
  ['https://youtu.be/abc', 'invalid_platform_url'],
])('rejects %s without sending a request', async (url, code) => {
  const { extraction, requests } = extract(url, () => ({ body: '' }));
  await expect(extraction).rejects.toMatchObject({ code });
  expect(requests).toEqual([]);
});
