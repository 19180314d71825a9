import { describe, expect, it } from 'vitest';
import { UnreadResponseError } from '../../unread.ts';
import { detailOf, encode, page, photoItem, postId, videoItem, wafPage } from '../testing/pages.ts';
import { desktopPage, extractPost, ids, mobilePage, postRefusal, shell } from '../testing/post-site.ts';

const desktop = (item: object) => ({ desktop: { body: desktopPage(item) } });
const streamed = (data: object) => ({ mobile: { body: page(data, 'api-data') } });
const { images } = photoItem.imagePost;

const unreadIn = (error: unknown) => (error instanceof UnreadResponseError ? error.unread : {});

/** Renames a member of a value, at any depth. */
function renamed<T extends object>(value: T, name: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll(`"${name}":`, `"${name}V9":`));
}

describe('an entry of a post that no parser recognises', () => {
  it.each<[string, object, Readonly<Record<string, number>>]>([
    ['a photo', { ...photoItem, imagePost: { images: [...images, { clip: {} }] } }, { 'imagePost.images': 1 }],
    [
      'an encode',
      { ...videoItem, video: { ...videoItem.video, bitrateInfo: [...videoItem.video.bitrateInfo, { PlayList: {} }] } },
      { 'video.bitrateInfo': 1 },
    ],
    [
      'every encode beside the main file',
      { ...videoItem, video: { ...videoItem.video, bitrateInfo: renamed(videoItem.video.bitrateInfo, 'PlayAddr') } },
      { 'video.bitrateInfo': 2 },
    ],
    ['a renamed list of encodes', renamed(videoItem, 'bitrateInfo'), { 'video.bitrateInfoV9': 2 }],
    [
      'subtitles',
      { ...videoItem, video: { ...videoItem.video, subtitleInfos: [{ Link: 'https://a.example/' }] } },
      { 'video.subtitleInfos': 1 },
    ],
  ])('is counted, and the rest stands: %s', async (_name, item, kinds) => {
    const { content, unread } = await extractPost(desktop(item));
    expect(unread).toEqual(kinds);
    expect((content.videos ?? content.images)?.length).toBeGreaterThan(0);
  });

  it('is counted in the comments, which are absent if none can be read', async () => {
    const comment = { cid: '1', text: 'a' };
    const of = async (commentList: object) => {
      const { metadata, unread } = await extractPost(
        streamed({ videoDetail: detailOf(videoItem), commentList: { status_code: 0, ...commentList } }),
      );
      return [unread, metadata.comments?.threads];
    };
    expect(await of({ comments: [comment, { cid_v9: '2' }] })).toEqual([
      { 'commentList.comments': 1 },
      [expect.objectContaining({ id: '1' })],
    ]);
    expect(await of({ comments: [{ cid_v9: '2' }] })).toEqual([{ 'commentList.comments': 1 }, undefined]);
    const user = { user: { avatar_thumb: { url_list: ['https://p16.example/a'] } } };
    expect(await of({ threads: [{ ...comment, ...user }] })).toEqual([{ 'commentList.threads': 1 }, undefined]);
    expect(await of({ comments: [] })).toEqual([{}, []]);
    expect(await of({ comments: null })).toEqual([{}, []]);
  });

  it('is counted when the list of comments is renamed', async () => {
    const commentsV9 = { status_code: 0, comments: [{ cid: '1' }] };
    const { metadata, unread } = await extractPost(streamed({ videoDetail: detailOf(videoItem), commentsV9 }));
    expect([metadata.comments, unread]).toEqual([undefined, { commentsV9: 1 }]);
  });
});

describe('a post of which nothing can be read', () => {
  const audioOnly = { ...videoItem, video: undefined, soundPost: { tracks: [] } };
  it.each<[string, object, readonly string[]]>([
    ['neither a video nor photos', audioOnly, ['itemStruct.soundPost']],
    ['neither, without any new member', { ...audioOnly, soundPost: undefined }, ['itemStruct.video']],
    ['photos of an unknown kind', { ...photoItem, imagePost: { images: [{ clip: {} }] } }, ['imagePost.images']],
    ['renamed photos', renamed({ ...photoItem, textExtra: [] }, 'images'), ['imagePost.imagesV9']],
    ['photos under a new name', renamed({ ...photoItem, textExtra: [] }, 'imagePost'), ['itemStruct.imagePostV9']],
    [
      'encodes of an unknown kind',
      { ...videoItem, video: { bitrateInfo: [encode('a', 'h264', 1, 1)].map((row) => renamed(row, 'UrlList')) } },
      ['video.bitrateInfo'],
    ],
    ['no known link', { ...videoItem, video: { width: 1, playAddrV9: 'https://a.example/' } }, ['video.playAddr']],
    ['a link of an unknown form', { ...videoItem, video: { playAddr: { link: 'a' } } }, ['video.playAddr']],
    ['no ID', renamed(videoItem, 'id'), ['webapp.video-detail.itemInfo.itemStruct.id']],
  ])('is an error that names the kind: %s', async (_name, item, kinds) => {
    const error = await postRefusal(desktop(item));
    expect(error).toMatchObject({ code: 'invalid_response_data', retryable: true });
    expect(Object.keys(unreadIn(error))).toEqual(kinds);
  });
});

describe('a page for which the site has changed a name', () => {
  const detail = detailOf(videoItem);
  it.each([
    ['a scope', page({ 'webapp.app-context': {}, 'webapp.item-detail': detail }), 'webapp.item-detail'],
    ['the scopes', page({}).replace('__DEFAULT_SCOPE__":{}', `__SCOPES__":{"a":{}}`), 'page.__SCOPES__'],
    ['the streamed post', page({ postDetail: detail }, 'api-data'), 'postDetail'],
    ['the item', page({ 'webapp.video-detail': renamed(detail, 'itemInfo') }), 'webapp.video-detail.itemInfoV9'],
    [
      'the item within its container',
      page({ 'webapp.video-detail': renamed(detail, 'itemStruct') }),
      'webapp.video-detail.itemInfo.itemStructV9',
    ],
  ])('is reported as unread: %s', async (_name, body, kind) => {
    const error = await postRefusal({ desktop: { body }, mobile: { body } });
    expect(error.code).toBe('invalid_response_data');
    expect(unreadIn(error)).toEqual({ [kind]: 1 });
  });

  const whole = page({ 'webapp.video-detail': detail });
  it.each([
    ['the ID of the script', whole.replace('__UNIVERSAL_DATA_FOR_REHYDRATION__', '__DATA__'), 'webapp.video-detail'],
    ['an object around the scopes', page({ data: { 'webapp.video-detail': detail } }), 'webapp.video-detail'],
    ['a list around the scopes', page([{ 'webapp.video-detail': detail }]), 'page.__DEFAULT_SCOPE__'],
    ['a list around the data', whole.replace(/(\{"__.*\})(?=<\/script>)/, '[$1]'), 'page.__DEFAULT_SCOPE__'],
  ])('is reported when the place is new: %s', async (_name, body, kind) => {
    const error = await postRefusal({ desktop: { body }, mobile: { body } });
    expect([error.code, unreadIn(error)]).toEqual(['invalid_response_data', { [kind]: 1 }]);
  });

  it.each([
    ['a shell', shell],
    ['a truncated page', whole.replace('__UNIVERSAL_DATA_FOR_REHYDRATION__', '__DATA__').replace('</html>', '')],
    [
      'a mobile shell',
      page({ 'webapp.reflow.global.queryData': { statusCode: 0 }, 'webapp.smartui.preview': { statusCode: 0 } }),
    ],
    ['a page about a user', page({ 'webapp.user-detail': { statusCode: 0, userInfo: {} } })],
    ['a page about a collection', page({ 'sharing.collection.collection_state': { statusCode: 0 } })],
  ])('is not confused with %s, which the site may replace at the next attempt', async (_name, body) => {
    expect(await postRefusal({ desktop: { body }, mobile: { body } })).toMatchObject({
      code: 'non_2xx_response',
      retryable: true,
      message: expect.stringContaining('a page without data'),
    });
  });

  it('is not confused with a bot check or an error status', async () => {
    const body = page({ 'webapp.item-detail': detail });
    expect((await postRefusal({ desktop: { status: 403, body } })).code).toBe('non_2xx_response');
    const login = { url: 'https://www.tiktok.com/login', body };
    expect((await postRefusal({ desktop: login, mobile: login })).code).toBe('signin_required');
  });
});

describe('a page that has changed', () => {
  const changed = { body: page({ 'webapp.item-detail': detailOf(videoItem) }) };

  it('is reported beside the result of another strategy', async () => {
    const { metadata, unread } = await extractPost({ desktop: changed, mobile: { body: mobilePage() } });
    expect([metadata.additionalData?.source, unread]).toEqual(['mobile', { 'webapp.item-detail': 1 }]);
  });

  it('is reported instead of the bot check that another strategy gets', async () => {
    const error = await postRefusal({ desktop: { body: wafPage }, mobile: changed });
    expect(unreadIn(error)).toEqual({ 'webapp.item-detail': 1 });
  });
});

describe('a page without data', () => {
  it.each([
    ['a bot check', '<p id="cs" class="e30"></p>'],
    ['a bot check', '<script>var wci="_wafchallengeid",cs="e30"</script>'],
    ['a captcha', '<script>const option = {"title":"tiktok-verify-page"}</script>'],
    ['a captcha', '<div id="captcha-verify-container"></div>'],
    ['a page without data', 'Verify your captcha settings'],
    ['a page without data', `${' '.repeat(100_000)}<script>{"slardarClient":"SlardarWAF"}</script>`],
  ])('is described as %s only by its own elements', async (what, body) => {
    expect((await postRefusal({ desktop: { body }, mobile: { body } })).message).toContain(`returned ${what}.`);
  });
});

describe('a list that is longer than its maximum', () => {
  const subtitles = (number: number) =>
    Array.from({ length: number }, (_, place) => ({
      LanguageCodeName: `l${place}`,
      Url: `https://a.example/${place}`,
    }));
  const of = async (number: number) => {
    const video = { ...videoItem.video, subtitleInfos: subtitles(number) };
    const { metadata, notes } = await extractPost(desktop({ ...videoItem, video }));
    return [Object(metadata.additionalData).subtitles.length, notes];
  };

  it('is cut with a note', async () => {
    expect(await of(150)).toEqual([150, []]);
    expect(await of(503)).toEqual([500, ['Omitted 3 entries of video.subtitleInfos: only the first 500 are listed.']]);
  });
});

it(`finds the files of post ${postId} without any unread entry`, async () => {
  const { content, unread } = await extractPost(desktop(videoItem));
  expect([ids(content.videos), unread]).toEqual([['main', 'adapt_1080_1'], {}]);
});
