import { describe, expect, inject, test } from 'vitest';
import { type Comment, everyPage, idsOf, itemsOf, listOf, openP1 } from '../support/p1-client.ts';

const ask = openP1(inject('serviceUrl'));
const channels = {
  newest: 'UC85zAYFztyDQQgidr86JyUQ',
  older: 'UC5zmAwLnbkGghBE7X50Tkog',
  empty: 'UC2tZBIRbJWJwxhnZD2udW8w',
};
const posts = {
  plain: 'Ugkxnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR',
  old: 'UgkxOc9uYUCpteH5oo884C7QVodBYZMYsnJR',
};
/** Videos and posts with comments in the newest and in older shapes. */
const subjects: [string, string, Record<string, string>][] = [
  ['a video in the newest shapes', '/video/comments', { videoId: 'lab-plain30' }],
  ['a video in older shapes', '/video/comments', { videoId: 'lab-old-30s' }],
  ['a post in the newest shapes', '/post/comments', { postId: posts.plain, channelId: channels.newest }],
  ['a post in older shapes', '/post/comments', { postId: posts.old, channelId: channels.older }],
];

describe.each(subjects)('the comments of %s', (_name, path, query) => {
  test('include their count and orders, and mark pinned and hearted comments', async () => {
    const { status, body } = await ask(path, query);
    expect([status, body.error]).toEqual([200, null]);
    expect(body).not.toHaveProperty('contents');
    expect(body.notes?.join()).toContain('1 credit');
    const { header, threads = [], nextToken } = body.metadata.comments ?? {};
    expect(header).toEqual({
      count: expect.any(Number),
      countText: `${header?.count} Comments`,
      sortOrders: [
        { sortBy: 'TOP_COMMENTS', title: 'Top', selected: true },
        { sortBy: 'NEWEST_FIRST', title: 'Newest', selected: false },
      ],
    });
    expect([threads.length, nextToken]).toEqual([20, expect.any(String)]);
    const [first, second, third] = threads;
    expect(first).toMatchObject({
      type: 'comment',
      author: {
        id: expect.stringMatching(/^UC/),
        handle: expect.stringMatching(/^@/),
        url: expect.stringMatching(/^https:/),
        thumbnails: expect.arrayContaining([expect.objectContaining({ url: expect.stringMatching(/^https:/) })]),
        isCreator: true,
      },
      text: expect.stringContaining('Comment 1'),
      runs: expect.any(Array),
      publishedText: '1 day ago',
      likeCount: expect.any(Number),
      likeCountText: expect.any(String),
      pinned: true,
      byCreator: true,
      replyCount: 25,
      repliesToken: expect.any(String),
    });
    expect(second).toMatchObject({ hearted: true });
    expect(second).not.toHaveProperty('pinned');
    expect(third).toMatchObject({ edited: true, publishedText: expect.stringContaining('ago') });
  });

  test('list each comment once, as many as the header says, to the end', async () => {
    const { body } = await ask(path, query);
    const pages = await everyPage(ask, path, query);
    const ids = idsOf(itemsOf(pages));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(body.metadata.comments?.header?.count);
    expect(pages.slice(0, -1).every(({ items }) => items.length === 20)).toBe(true);
    for (const item of itemsOf(pages)) expect(item).toMatchObject({ type: 'comment', text: expect.any(String) });
  });

  test('are reversed by sortBy=NEWEST_FIRST, and TOP_COMMENTS is the default order', async () => {
    const [without, top, newest] = await Promise.all([
      everyPage(ask, path, query),
      everyPage(ask, path, { ...query, sortBy: 'TOP_COMMENTS' }),
      everyPage(ask, path, { ...query, sortBy: 'NEWEST_FIRST' }),
    ]);
    expect(idsOf(itemsOf(top))).toEqual(idsOf(itemsOf(without)));
    expect(idsOf(itemsOf(newest))).toEqual(idsOf(itemsOf(without)).toReversed());
    const { body } = await ask(path, { ...query, sortBy: 'NEWEST_FIRST' });
    expect(body.metadata.comments?.header?.sortOrders).toMatchObject([{ selected: false }, { selected: true }]);
  });

  test('lead to their replies through repliesToken, to the end', async () => {
    const { body } = await ask(path, query);
    for (const thread of body.metadata.comments?.threads.filter(({ replyCount = 0 }) => replyCount > 0) ?? []) {
      const ids = idsOf(itemsOf(await everyPage(ask, path, query, thread.repliesToken ?? '')));
      expect(ids).toHaveLength(thread.replyCount ?? -1);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.every((id) => id.startsWith(`${thread.id}.`))).toBe(true);
    }
  });
});

test('comments of both generations have the same members', async () => {
  const [newest, older] = await Promise.all(
    ['lab-plain30', 'lab-old-30s'].map(async (videoId) => {
      const { body } = await ask('/video/comments', { videoId });
      return body.metadata.comments?.threads.slice(0, 3).map(membersOf);
    }),
  );
  // Older shapes give these members as numbers, or omit them when they are zero.
  const textless = ['likeCount', 'likeCountText', 'replyCountText'];
  const compared = (members: readonly (readonly string[])[] | undefined) =>
    members?.map((names) => names.filter((name) => !textless.includes(name)));
  expect(compared(older)).toEqual(compared(newest));
});

describe('/video/comments', () => {
  test.each(['lab-plain30', 'lab-old-30s'])('returns the replies to the comment commentId of %s', async (videoId) => {
    const { body } = await ask('/video/comments', { videoId });
    for (const thread of body.metadata.comments?.threads ?? []) {
      const { replyCount = 0, repliesToken } = thread;
      const query = { videoId, commentId: thread.id };
      const replies = itemsOf(await everyPage(ask, '/video/comments', query));
      expect(replies).toHaveLength(replyCount);
      if (repliesToken === undefined) continue;
      const byToken = itemsOf(await everyPage(ask, '/video/comments', { videoId }, repliesToken));
      expect(idsOf(replies)).toEqual(idsOf(byToken));
      expect(membersOf(replies[0])).toEqual(expect.arrayContaining(['author', 'id', 'publishedText', 'text', 'type']));
    }
  });

  test('returns replies in pages of ten', async () => {
    const { body } = await ask('/video/comments', { videoId: 'lab-plain30' });
    const commentId = body.metadata.comments?.threads[0]?.id ?? '';
    const pages = await everyPage(ask, '/video/comments', { videoId: 'lab-plain30', commentId });
    expect(pages.map(({ items }) => items.length)).toEqual([10, 10, 5]);
  });

  test('returns not_found for a commentId that the video does not have', async () => {
    const { status, body } = await ask('/video/comments', {
      videoId: 'lab-plain30',
      commentId: 'UgwAAAAAAAAAAAAAAAA4AaABAg',
    });
    expect([status, body.error?.code, body.error?.statusCode]).toEqual([200, 'not_found', 404]);
  });

  test('returns an empty list with a note when comments are turned off', async () => {
    const { status, body } = await ask('/video/comments', { videoId: 'lab-no-talk' });
    expect([status, body.error]).toEqual([200, null]);
    expect(listOf(body)).toEqual({ items: [], nextToken: null });
    expect(body.notes?.join(' ')).toMatch(/comments are turned off/i);
  });

  test.each(['lab-removed', 'lab-private', 'aaaaaaaaaaa'])('returns not_found for comments of %s', async (videoId) => {
    const { status, body } = await ask('/video/comments', { videoId });
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code: 'not_found', statusCode: 404, retryable: false });
    expect(body.metadata).toEqual({});
  });

  test('returns the same comments and parsed values in every lang', async () => {
    const [english, german] = await Promise.all([
      ask('/video/comments', { videoId: 'lab-plain30' }),
      ask('/video/comments', { videoId: 'lab-plain30', lang: 'de' }),
    ]);
    const parsed = (threads: readonly Comment[] = []) =>
      threads.map(({ id, likeCount, replyCount, pinned }) => ({ id, likeCount, replyCount, pinned }));
    expect(parsed(german.body.metadata.comments?.threads)).toEqual(parsed(english.body.metadata.comments?.threads));
    expect(german.body.metadata.comments?.header?.count).toBe(english.body.metadata.comments?.header?.count);
  });
});

describe('/post/details', () => {
  const picture = { url: expect.stringMatching(/^https:/), thumbnails: expect.any(Array) };
  const choice = { text: expect.any(String) };
  test.each<[string, string, object]>([
    ['a picture', 'UgkxPG7zcv6U-CvnOYDAuduQaCEETtfnROSi', { images: [picture] }],
    ['three images', 'Ugkx2qZtLH3fdEHa1kEhFslYnDGGdkPa51bz', { images: [picture, picture, picture] }],
    [
      'a poll',
      'UgkxeN3m5f0p8FfOcwGBc7cg0EIIna_OiclE',
      { poll: { choices: [choice, choice, choice], voteCount: 1200, voteCountText: '1.2K votes' } },
    ],
    [
      'a quiz',
      'UgkxFxVgn3x0bG3CD8Hh0KTpBFKKxRvCLDuV',
      { quiz: { choices: expect.arrayContaining([expect.objectContaining({ correct: true })]) } },
    ],
    ['a video', 'UgkxtUzaWPu-6IO1rIJCLZKxOGMM7Ie1zq3m', { video: { type: 'video', id: expect.any(String) } }],
    ['a playlist', 'UgkxU4RUEnsJZJmpSUKiioB5bHOPE_OpcSA3', { playlist: { type: 'playlist', id: expect.any(String) } }],
    ['another post', 'Ugkx8bvNy_pT4K-c5gMC525BoIQRO1-dE5KI', { sharedPost: { type: 'post', id: expect.any(String) } }],
    ['only text', posts.plain, { text: expect.stringContaining('https://lab.example/') }],
  ])('returns a post with %s', async (_name, postId, expectedPost) => {
    const { status, body } = await ask('/post/details', { postId, channelId: channels.newest });
    expect([status, body.error]).toEqual([200, null]);
    expect(body.metadata.post).toMatchObject({
      type: 'post',
      id: postId,
      url: `https://www.youtube.com/post/${postId}`,
      channel: { id: channels.newest, name: 'The Lab' },
      text: expect.any(String),
      runs: expect.any(Array),
      publishedText: expect.stringMatching(/ago$/),
      ...expectedPost,
    });
  });

  test('returns counts as numbers beside their text', async () => {
    const { body } = await ask('/post/details', { postId: posts.plain, channelId: channels.newest });
    expect(body.metadata.post).toMatchObject({
      likeCount: 93_078,
      likeCountText: '93K',
      commentCount: 37,
      commentCountText: '37',
    });
  });

  test('returns a post of the second channel with the same members', async () => {
    const [newest, older] = await Promise.all([
      ask('/post/details', { postId: posts.plain, channelId: channels.newest }),
      ask('/post/details', { postId: posts.old, channelId: channels.older }),
    ]);
    expect(membersOf(older.body.metadata.post)).toEqual(membersOf(newest.body.metadata.post));
  });

  test.each([
    ['of another channel', posts.plain, channels.older],
    ['that does not exist', 'UgkxAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', channels.newest],
  ])('returns not_found for a post %s', async (_name, postId, channelId) => {
    const { status, body } = await ask('/post/details', { postId, channelId });
    expect([status, body.error?.code, body.error?.statusCode]).toEqual([200, 'not_found', 404]);
    expect(body.metadata).toEqual({});
  });

  test('returns the same numbers in every lang', async () => {
    const query = { postId: posts.plain, channelId: channels.newest };
    const [english, french] = await Promise.all([
      ask('/post/details', query),
      ask('/post/details', { ...query, lang: 'fr' }),
    ]);
    const numbers = english.body.metadata.post;
    expect(french.body.metadata.post).toMatchObject({
      id: posts.plain,
      likeCount: numbers?.likeCount,
      commentCount: numbers?.commentCount,
    });
  });
});

describe('/channel/posts', () => {
  test.each([channels.newest, channels.older])('lists the posts of %s to the end', async (channelId) => {
    const pages = await everyPage(ask, '/channel/posts', { channelId });
    const listed = itemsOf(pages);
    expect(pages[0]?.items).toHaveLength(10);
    expect(new Set(idsOf(listed)).size).toBe(listed.length);
    expect(listed.length).toBeGreaterThan(12);
    for (const post of listed)
      expect(post).toMatchObject({ type: 'post', id: expect.stringMatching(/^Ug/), channel: { id: channelId } });
    const kinds = ['images', 'poll', 'quiz', 'video', 'playlist', 'sharedPost'];
    expect(kinds.filter((kind) => listed.some((post) => kind in post))).toEqual(kinds);
  });

  test('returns the same values for a post as /post/details', async () => {
    const { body } = await ask('/channel/posts', { channelId: channels.newest });
    for (const post of listOf(body).items.slice(0, 8)) {
      const alone = await ask('/post/details', { postId: post.id, channelId: channels.newest });
      expect(alone.body.metadata.post).toEqual(post);
    }
  });

  test('returns an empty list with a note for a channel without posts', async () => {
    const { status, body } = await ask('/channel/posts', { channelId: channels.empty });
    expect([status, body.error]).toEqual([200, null]);
    expect(body.metadata.channel).toEqual({ posts: { contents: [], nextToken: null } });
    expect(body.notes?.join(' ')).toContain('no posts');
  });
});

/** Returns the member names of an object, in order. */
function membersOf(thing: object | undefined): readonly string[] {
  return Object.keys(thing ?? {}).sort();
}
