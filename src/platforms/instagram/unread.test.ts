import { describe, expect, it } from 'vitest';
import { UnreadResponseError } from '../unread.ts';
import { block, code, extract, graph, lsd, pk, post, reel, shell, xig } from './testing/fake-instagram.ts';

const photo = {
  __typename: 'XIGPolarisImageMedia',
  media_type: 1,
  image_versions2: { candidates: [{ url: 'https://cdn.example/1.jpg', width: 1080, height: 1080 }] },
};
const story = { __typename: 'XIGPolarisStoryMedia', pk: '5', story_versions: [{ url: 'https://cdn.example/s' }] };
const carousel = (...children: object[]) => ({
  ...reel,
  media_type: 8,
  product_type: 'carousel_container',
  video_versions: null,
  video_dash_manifest: null,
  carousel_media: children,
});

const clips = 'xdt_api__v1__clips__clips_on_logged_out_connection_v2';

/** Extracts a post from its page alone. */
const inPage = (data: unknown) => post({ page: { body: shell + block(data) } }).extraction;

describe('unread entries of a post', () => {
  it('are counted by kind, beside the items of a carousel that could be read', async () => {
    const { contents, unread } = await inPage(xig(carousel(photo, story, photo, story, { pk: '6' })));
    expect(contents).toHaveLength(2);
    expect(unread).toEqual({ XIGPolarisStoryMedia: 2, carousel_media: 1 });
    const children = [{ node: { __typename: 'XDTGraphStory' } }, { node: { ...graph, shortcode: undefined } }];
    const sidecar = { ...graph, __typename: 'XDTGraphSidecar', edge_sidecar_to_children: { edges: children } };
    const shortcode = { body: { data: { xdt_shortcode_media: sidecar } } };
    const older = await post({ page: { body: shell }, shortcode }).extraction;
    expect([older.contents?.length, older.unread]).toEqual([1, { XDTGraphStory: 1 }]);
  });

  it.each<[string, unknown, string]>([
    ['whose items are all of unknown kinds', xig(carousel(story, story)), 'XIGPolarisStoryMedia'],
    [
      'whose items are in an unknown place',
      xig({ ...carousel(), carousel_media: undefined, slides: [photo] }),
      'carousel',
    ],
    ['under an unknown name', { xig_media_v3: { pk, code, media: photo } }, 'xig_media_v3'],
    ['of an unknown type', { feed: { edges: [{ node: { __typename: 'XIGPost', id: `POLARIS_${pk}` } }] } }, 'XIGPost'],
    ['without media', xig({ pk, code, media_type: 1 }), 'post'],
    [
      'whose files have an unknown name',
      xig({ ...reel, video_versions: undefined, video_dash_manifest: null }),
      'post',
    ],
    [
      'whose open part has an unknown name',
      { xig_polaris_media: { code, __typename: 'XIGPolarisVideoMedia', if_open: reel, gating_ruling: null } },
      'XIGPolarisVideoMedia',
    ],
  ])('are the error when the page contains a post %s', async (_, data, kind) => {
    const error: unknown = await inPage(data).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnreadResponseError);
    expect(error).toMatchObject({ code: 'invalid_response_data', unread: { [kind]: expect.any(Number) } });
  });

  it.each<[string, object, object]>([
    ['in an object', { if_not_gated_logged_out: { media: reel } }, { media: 1 }],
    ['in a list', { if_not_gated_logged_out: [reel] }, { if_not_gated_logged_out: 1 }],
    ['in an object, with its code', { code, if_not_gated_logged_out: { media: reel } }, { xig_polaris_media: 1 }],
  ])('are the error when the post of a page is %s', async (_, media, unread) => {
    const error = await inPage({ xig_polaris_media: { ...media, gating_ruling: null } }).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'invalid_response_data', unread });
  });

  it('are the error when a complete page has its data in scripts of another type', async () => {
    const page = `${shell}${block(xig(reel))}`.replaceAll('application/json', 'application/x-json');
    const error = await post({ page: { body: `${page}</html>` } }).extraction.catch((reason) => reason);
    expect(error).toMatchObject({ code: 'invalid_response_data', unread: { page: 1 } });
    const truncated = await post({ page: { body: page } }).extraction.catch((reason) => reason);
    expect(truncated).not.toBeInstanceOf(UnreadResponseError);
    const empty = await post({ page: { body: `${shell}</html>` } }).extraction.catch((reason) => reason);
    expect(empty).toMatchObject({ code: 'non_2xx_response' });
  });

  it.each<[string, unknown, object | undefined]>([
    ['an object of another name', { data: { media: { a: 1 } } }, { media: 1 }],
    ['nothing', {}, { response: 1 }],
    ['an error', { data: {}, errors: [{ message: 'x' }] }, undefined],
    ['other posts', { data: { [clips]: { edges: [{ node: { media: { ...reel, code: 'x' } } }] } } }, undefined],
    ['truncated JSON', '{"data":{"media":{', undefined],
  ])('are the error when the response to a query has %s', async (_, body, unread) => {
    const { extraction } = extract(
      '/media/post/details',
      { shortcode: code },
      { clips: { body: body as object } },
      'clips',
    );
    const error = await extraction.catch((reason) => reason);
    expect([error.code, error.unread]).toEqual(['invalid_response_data', unread]);
  });

  it('are not the error when a later strategy finds the post', async () => {
    const { extraction } = post({
      page: { body: shell + block({ xig_v3: { pk, code } }) },
      graphql: { body: { data: xig(reel) } },
    });
    expect((await extraction).metadata.additionalData).toMatchObject({ source: 'graphql' });
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['the parameters of a query', { variables: { shortcode: code, media_id: pk, __relay_internal__pv__A: false } }],
    ['a list of posts of the owner', { polaris_ordered_timeline_connection: { edges: [{ node: { code, pk } }] } }],
    [
      'an empty place for the post',
      { xig_polaris_media: { code, if_not_gated_logged_out: null, gating_ruling: null } },
    ],
  ])('do not include %s: a page without data means throttling', async (_, data) => {
    await expect(inPage(data)).rejects.toMatchObject({ code: 'non_2xx_response', retryable: true });
  });

  it('include comments, but not comments that consist of an image', async () => {
    const comment = { __typename: 'XIGComment', pk: '7', text: 'a', user: { pk: '1', username: 'b' } };
    const withComments = (...nodes: object[]) => ({
      xig_polaris_media: {
        ...xig(reel).xig_polaris_media,
        comments_connection: { edges: nodes.map((node) => ({ node })) },
      },
    });
    const { metadata, unread } = await inPage(
      withComments(comment, { __typename: 'XIGCommentV2', pk: '8' }, { ...comment, pk: '9', text: null }),
    );
    expect(unread).toEqual({ XIGCommentV2: 1 });
    expect(metadata.comments).toMatchObject({ threads: [{ text: 'a' }, { text: '' }] });
    const renamed = {
      xig_polaris_media: { ...xig(reel).xig_polaris_media, comments_connection: { nodes: [comment] } },
    };
    expect((await inPage(renamed)).unread).toEqual({ comments: 1 });
    expect((await inPage(withComments())).unread).toEqual({});
  });
});

describe('unread files of a post', () => {
  const older = (media: object) =>
    post({ page: { body: shell }, shortcode: { body: { data: { xdt_shortcode_media: media } } } }).extraction;
  const [version] = reel.video_versions;
  const cover = { link: 'https://cdn.example/c.jpg' };

  it.each<[string, object, object]>([
    ['its addresses', { video_versions: [{ ...version, url: undefined }, version] }, { video_versions: 1 }],
    ['its list', { video_versions: undefined }, { video_versions: 1 }],
    ['its manifest', { video_dash_manifest: undefined, dash: '<MPD>' }, { video_dash_manifest: 1 }],
    ['the addresses of its covers', { image_versions2: { candidates: [cover, cover] } }, { image_versions2: 2 }],
    ['the list of its covers', { image_versions2: { items: [cover] } }, { image_versions2: 1 }],
    ['its covers', { image_versions2: undefined }, { image_versions2: 1 }],
    ['nothing, as when they are withheld', { video_versions: [], image_versions2: null }, {}],
  ])('are counted when a video has another name for %s', async (_, members, unread) => {
    expect((await inPage(xig({ ...reel, ...members }))).unread).toEqual(unread);
  });

  it('are counted in the responses to older queries', async () => {
    const mpd = reel.video_dash_manifest;
    const video = { ...graph, __typename: 'XDTGraphVideo', is_video: true, video_url: 'https://cdn.example/v.mp4' };
    expect((await older({ ...video, dash_info: { video_dash_manifest: mpd } })).unread).toEqual({});
    const { display_url: _url, ...withoutCover } = video;
    const moved = { ...withoutCover, display: 'https://cdn.example/d.jpg', dash_info: { mpd } };
    expect((await older(moved)).unread).toEqual({ display_url: 1, dash_info: 1 });
  });

  it('include the list of comments of a post with comments', async () => {
    const edges = [{ node: { id: '1', text: 'a', owner: { username: 'b' } } }];
    const renamed = { ...graph, edge_media_to_comments_v2: { count: 1, edges } };
    expect((await older(renamed)).unread).toEqual({ comments: 1 });
    expect((await older({ ...graph, edge_media_preview_comment: { count: 0, edges: [] } })).unread).toEqual({});
    expect((await older({ ...renamed, edge_media_to_parent_comment: { count: 1, edges: [] } })).unread).toEqual({});
  });
});

describe('unread entries of a profile', () => {
  const user = { pk: '787132', username: 'natgeo', follower_count: 5, biography: 'b' };
  const profile = (...data: readonly object[]) =>
    extract('/user/profile/details', { username: 'natgeo' }, { page: { body: shell + data.map(block).join('') } })
      .extraction;

  it('are the posts of its timeline', async () => {
    const timeline = (connection: object) => ({ xig_user_by_username: { pk: '787132', ...connection } });
    const edges = [{ node: { code: 'Dabcde', pk: '1' } }, { node: { __typename: 'XIGPolarisPoll' } }];
    const found = { xig_user_by_username: user };
    const { metadata, unread } = await profile(found, timeline({ polaris_ordered_timeline_connection: { edges } }));
    expect([metadata.author?.posts, unread]).toEqual([
      [expect.objectContaining({ shortcode: 'Dabcde' })],
      { XIGPolarisPoll: 1 },
    ]);
    const renamed = await profile(found, timeline({ timeline_v2: { edges } }));
    expect(renamed.unread).toEqual({ timeline_v2: 1 });
    expect((await profile(found, timeline({ polaris_ordered_timeline_connection: { edges: [] } }))).unread).toEqual({});
  });

  it('are the error when the profile is in an unknown place', async () => {
    await expect(profile({ xig_user_v2: user })).rejects.toMatchObject({
      code: 'invalid_response_data',
      unread: { xig_user_v2: 1 },
    });
    await expect(profile({ xig_user_by_username: { ...user, username: undefined } })).rejects.toMatchObject({
      unread: { xig_user_by_username: 1 },
    });
    const body = block({ xig_user_by_username: user }).replace('application/json', 'application/x-json');
    const otherScripts = extract('/user/profile/details', { username: 'natgeo' }, { page: { body: `${body}</html>` } });
    await expect(otherScripts.extraction).rejects.toMatchObject({ unread: { xig_user_by_username: 1 } });
    const api = { body: { data: { account: user } } };
    const { extraction } = extract('/user/profile/details', { username: 'natgeo' }, { page: { body: shell }, api });
    await expect(extraction).rejects.toMatchObject({ code: 'invalid_response_data', unread: { account: 1 } });
  });
});

describe('unread entries of a page', () => {
  it('are reported although another strategy finds the profile', async () => {
    const user = { pk: '787132', username: 'natgeo', follower_count: 5, biography: 'b' };
    const replies = { page: { body: shell + block({ xig_user_v2: user }) }, api: { body: { data: { user } } } };
    const { metadata, unread } = await extract('/user/profile/details', { username: 'natgeo' }, replies).extraction;
    expect([metadata.additionalData, unread]).toEqual([{ source: 'api' }, { xig_user_v2: 1 }]);
  });

  it('are reported although another strategy finds the post', async () => {
    const unknown = { xig_media_v2: { ...reel, code } };
    const query = { body: { data: { xdt_shortcode_media: graph } } };
    const { contents, unread } = await post({ page: { body: shell + block(unknown) }, shortcode: query }).extraction;
    expect([contents?.length, unread]).toEqual([1, { xig_media_v2: 1 }]);
  });
});

describe('unread entries of an audio track', () => {
  const page = { body: `${lsd}<meta property="og:title" content="A | B on Instagram"/>` };
  const metadata = { original_sound_info: { audio_asset_id: '123' } };
  const audio = (payload: object, name = 'payload') =>
    extract('/media/audio/details', { audioId: '123' }, { page, music: { body: { [name]: payload } } }).extraction;

  it('are reels in an unknown format', async () => {
    const { contents, unread } = await audio({ metadata, items: [{ media: reel }, { media: story }, { clip: reel }] });
    expect([contents?.length, unread]).toEqual([1, { items: 2 }]);
  });

  it.each<[string, object, string?]>([
    ['all reels have an unknown format', { metadata, items: [{ media: { pk: '1' } }] }],
    ['the list of reels has an unknown name', { metadata, reels: [{ media: reel }] }],
    ['the response has an unknown form', { metadata, items: [{ media: reel }] }, 'content'],
  ])('are the error when %s', async (_, payload, name) => {
    await expect(audio(payload, name)).rejects.toBeInstanceOf(UnreadResponseError);
  });

  it('do not include an empty list, or the other lists of the response', async () => {
    const lists = { available_tabs: [{ name: 'top' }], audio_page_segments: [{ id: 1 }] };
    const { contents, unread } = await audio({ metadata, items: [], ...lists });
    expect([contents, unread]).toEqual([[], {}]);
    expect((await audio({ metadata, ...lists })).unread).toEqual({});
  });
});
