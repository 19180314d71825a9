import { describe, expect, it } from 'vitest';
import { fakeSite, type Reply, type SeenRequest } from '../../testing/fake-site.ts';
import { UnreadResponseError } from '../../unread.ts';
import { createFacebook } from '../index.ts';
import { postId, postPage, reelId, reelPage, sitePage } from '../testing/pages.ts';

const site = 'https://www.facebook.com';
const reel = `${site}/reel/${reelId}`;
const postLink = `${site}/creator/posts/${postId}`;

function extract(url: string, reply: string | ((request: SeenRequest) => Reply), strategy?: string) {
  const [details] = createFacebook().endpoints;
  if (details === undefined) throw new Error('there is no endpoint');
  const { context, requests } = fakeSite(typeof reply === 'string' ? () => ({ body: reply }) : reply);
  const own = strategy === undefined ? context : { ...context, strategy };
  return { requests, extraction: details.extract({ url }, own) };
}

const headAbout = (path: string) => `<meta property="og:url" content="${site}${path}" />`;
const photo = (id: string, type = 'Photo') => ({
  media: { __typename: type, id, photo_image: { uri: `https://scontent.xx.fbcdn.net/${id}.jpg`, width: 2, height: 1 } },
});
const album = (nodes: readonly unknown[]) => ({
  attachments: [
    { styles: { __typename: 'StoryAttachmentAlbumStyleRenderer', attachment: { all_subattachments: { nodes } } } },
  ],
});

describe('attachments of unknown kinds', () => {
  it('are counted beside those that can be read', async () => {
    const nodes = [photo('11111'), photo('22222', 'Hologram'), photo('33333', 'Hologram'), photo('44444', 'Sticker')];
    const { contents, unread } = await extract(postLink, postPage(album(nodes))).extraction;
    expect(contents).toHaveLength(1);
    expect(unread).toEqual({ Hologram: 2 });
  });

  it.each([
    ['all children of an album', album([photo('22222', 'Hologram')]), { Hologram: 1 }],
    [
      'the media of a displayed photo',
      { attachments: [{ styles: { __typename: 'StoryAttachmentPhotoStyleRenderer', attachment: { picture: {} } } }] },
      { StoryAttachmentPhotoStyleRenderer: 1 },
    ],
    ['the list itself', { attachments: undefined }, { 'post without attachments': 1 }],
  ])('are an error when they are %s', async (_, story, unread) => {
    const { extraction } = extract(postLink, postPage(story));
    await expect(extraction).rejects.toBeInstanceOf(UnreadResponseError);
    await expect(extraction).rejects.toMatchObject({ code: 'invalid_response_data', unread });
  });

  it.each([
    ['a sticker', { attachments: [photo('1', 'Sticker')] }],
    [
      'a link preview',
      { attachments: [{ style_list: ['share'], styles: { __typename: 'StoryAttachmentShareStyleRenderer' } }] },
    ],
  ])('do not include %s', async (_, story) => {
    const { contents, unread } = await extract(postLink, postPage(story)).extraction;
    expect([contents, unread]).toEqual([[], {}]);
  });
});

it('counts comments of unknown kinds', async () => {
  const edges = [
    { node: { __typename: 'Comment', id: 'c1', body: { text: 'Nice' }, author: { id: '7', name: 'N' } } },
    { node: { __typename: 'HolographicComment', id: 'c2' } },
    { node: null },
  ];
  const feedback = { id: 'f', comment_rendering_instance_for_feed_location: { comments: { edges } } };
  const { metadata, unread } = await extract(postLink, postPage({ feedback })).extraction;
  expect(metadata.comments).toMatchObject({ threads: [{ text: 'Nice' }] });
  expect(unread).toEqual({ HolographicComment: 1 });
});

describe('comments that are missing', () => {
  const node = { __typename: 'Comment', id: 'c1', body: { text: 'Nice' }, author: { id: '7', name: 'N' } };
  const place = { comments: { edges: [{ node }] } };
  const feedback = { id: 'f', total_comment_count: 3, comment_rendering_instance_for_feed_location: place };

  it.each<[string, object]>([
    ['the feedback', { feedback: undefined, feedbackNew: feedback }],
    ['the place', { feedback: { ...feedback, comment_rendering_instance_for_feed_location: undefined, other: place } }],
    ['the list', { feedback: { ...feedback, comment_rendering_instance_for_feed_location: { list: place.comments } } }],
    [
      'the list, with entries of a new type',
      { feedback: { ...feedback, comment_rendering_instance_for_feed_location: undefined } },
    ],
    [
      'the edges',
      { feedback: { ...feedback, comment_rendering_instance_for_feed_location: { comments: { nodes: [node] } } } },
    ],
  ])('are counted after a change of %s', async (_, story) => {
    const { metadata, unread } = await extract(postLink, postPage({ ...story })).extraction;
    expect([metadata.comments, unread]).toEqual([undefined, { comments: 1 }]);
  });

  it.each<[string, string]>([
    ['a post has none', postPage({ feedback: { id: 'f', total_comment_count: 0 } })],
    [
      'guests see none of them',
      postPage({
        feedback: { ...feedback, comment_rendering_instance_for_feed_location: { comments: { edges: [] } } },
      }),
    ],
  ])('are not counted when %s', async (_, html) => {
    const { metadata, unread } = await extract(postLink, html).extraction;
    expect([metadata.comments, unread]).toEqual([undefined, {}]);
  });

  it('are not counted on the page of a reel, which only has their number', async () => {
    const { metadata, unread } = await extract(reel, reelPage()).extraction;
    expect([metadata.additionalData?.commentCount, metadata.comments, unread]).toEqual([7, undefined, {}]);
  });
});

describe('a page of an unknown structure', () => {
  const holograms = [{ operation: 'HologramRootQuery', data: { hologram: { id: reelId } } }];

  it.each([
    ['only unknown operations', sitePage(holograms), { HologramRootQuery: 1 }],
    [
      'the requested video without known files',
      reelPage({ videoDeliveryLegacyFields: { hologram_url: 'https://video.xx.fbcdn.net/a' } }).replace(
        '<head>',
        `<head>${headAbout(`/x/videos/${reelId}/`)}`,
      ),
      { FBReelsRootWithEntrypointQuery: 1 },
    ],
    [
      'the requested video only in a suggestion',
      sitePage([...holograms, { operation: 'Suggestions', data: { story: { attachments: [photo('1')] } } }], {
        head: headAbout(`/reel/${reelId}/`),
      }),
      { HologramRootQuery: 1, Suggestions: 1 },
    ],
    ['results in an unknown container', postPage().replaceAll('"__bbox"', '"__crate"'), { page: 1 }],
  ])('is an error when it has %s', async (_, html, unread) => {
    const { extraction, requests } = extract(reel, html);
    await expect(extraction).rejects.toMatchObject({ code: 'invalid_response_data', unread });
    expect(requests).toHaveLength(4);
  });

  it('is noted when another page has the post', async () => {
    const { extraction, requests } = extract(reel, ({ url }) => ({
      body: url.pathname === '/watch/' ? reelPage() : sitePage(holograms),
    }));
    expect((await extraction).unread).toEqual({ HologramRootQuery: 1 });
    expect(requests).toHaveLength(2);
  });

  it('is used with a note when its results are in an unknown container, but their text has the files', async () => {
    const { contents, unread } = await extract(reel, reelPage().replaceAll('"__bbox"', '"__crate"')).extraction;
    expect(contents?.[0]?.videos).toHaveLength(2);
    expect(unread).toEqual({ page: 1 });
  });

  it('is used with a note when the text of the page has the files', async () => {
    const body = `{"id":"${reelId}","browser_native_sd_url":"https:\\/\\/video.xx.fbcdn.net\\/r.mp4"}`;
    const html = sitePage(holograms, { head: headAbout(`/reel/${reelId}/`), body });
    const { contents, unread } = await extract(reel, html).extraction;
    expect(contents?.[0]?.videos?.[0]?.item.url).toBe('https://video.xx.fbcdn.net/r.mp4');
    expect(unread).toEqual({ HologramRootQuery: 1 });
  });

  it('does not include a page with another post in a known structure', async () => {
    const { extraction } = extract(`${site}/creator/posts/999999999`, postPage());
    await expect(extraction).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an embedded player', () => {
  const link = 'https:\\/\\/video.xx.fbcdn.net\\/r.mp4?a=1';
  const player = (data: string) => `<!DOCTYPE html><html><body><script>p({${data}})</script></body></html>`;

  it.each([
    ['its files', `"video_id":"${reelId}","new_src":"${link}"`],
    ['its ID', `"new_id":"${reelId}","hd_src":"${link}"`],
  ])('with a new name for %s is unread', async (_, data) => {
    const { extraction } = extract(reel, player(data), 'embed');
    await expect(extraction).rejects.toMatchObject({ code: 'invalid_response_data', unread: { player: 1 } });
  });

  it.each([
    ['no data', ''],
    ['no file', `"video_id":"${reelId}"`],
    ['another video', `"video_id":"999999999","new_src":"${link}"`],
  ])('with %s is empty', async (_, data) => {
    await expect(extract(reel, player(data), 'embed').extraction).rejects.toMatchObject({ code: 'non_2xx_response' });
  });
});

describe('a page', () => {
  it('of a reel is not a refusal when its text names the error page', async () => {
    const html = reelPage({ note: { __dr: 'CometErrorRoot.react' }, words: "This content isn't available" });
    expect((await extract(reel, html).extraction).contents).toHaveLength(1);
  });

  it('with the sign-in form beside another route is not the sign-in page', async () => {
    const route = { initialRouteInfo: { route: { rootView: { resource: { __dr: 'CometPhotoRoot.react' } } } } };
    const html = sitePage([], { body: `<script>${JSON.stringify(route)}</script><form id="login_form"></form>` });
    await expect(extract(reel, html).extraction).rejects.toMatchObject({ code: 'non_2xx_response' });
  });

  it('with the text links of several videos yields only those of the requested one', async () => {
    const player = (id: string, name: string) =>
      `{"video_id":"${id}","hd_src":"https:\\/\\/video.xx.fbcdn.net\\/${name}.mp4"}`;
    const html = `<html>${player('1380134307388399', 'other')}${player(reelId, 'own')}</html>`;
    const { contents } = await extract(reel, html).extraction;
    expect(contents?.[0]?.videos?.map(({ item }) => item.url)).toEqual(['https://video.xx.fbcdn.net/own.mp4']);
    const others = extract(reel, `<html>"video_id":"${reelId}"${player('1380134307388399', 'other')}</html>`);
    await expect(others.extraction).rejects.toMatchObject({ code: 'non_2xx_response' });
  });
});

describe('a strategy', () => {
  it.each([
    ['reel', `/reel/${reelId}`],
    ['watch', '/watch/'],
    ['reel, web host', `/reel/${reelId}`],
    ['embed', '/plugins/video.php'],
  ])('%s is the only one that is used when a probe names it', async (strategy, path) => {
    const { extraction, requests } = extract(reel, reelPage(), strategy);
    expect((await extraction).metadata.additionalData?.source).toBe(strategy);
    expect(requests.map(({ url }) => url.pathname)).toEqual([path]);
    const failing = extract(reel, '', strategy);
    await expect(failing.extraction).rejects.toMatchObject({ code: 'non_2xx_response' });
    expect(failing.requests).toHaveLength(1);
  });

  it('is listed in the order of the fallback chain', () => {
    const strategies = createFacebook().endpoints.map(({ path, strategies }) => [path, strategies]);
    expect(Object.fromEntries(strategies)).toMatchObject({
      '/post/details': ['reel', 'watch', 'reel, web host', 'embed'],
      '/profile/details': ['profile', 'profile, web host'],
      '/profile/reels': ['reels_tab', 'reels_tab, web host', 'videos', 'videos, web host'],
      '/profile/photos': ['photos', 'photos, web host'],
    });
  });
});
