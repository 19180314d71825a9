import { expect, test } from 'vitest';
import { readPost } from './post.ts';
import { partsOfPosts } from './post-parts.ts';

const image = (name: string) => ({
  thumbnails: [{ url: `https://yt3.ggpht.com/${name}=s288-c-fcrop64=1`, width: 288, height: 288 }],
});
const text = (words: string) => ({ runs: [{ text: words }] });
const post = (backstageAttachment: unknown, rest: object = {}) =>
  readPost({ post: { backstagePostRenderer: { postId: 'Ugkx1', backstageAttachment, ...rest } } });

test('reads several images, including their full size', () => {
  const images = ['a', 'b'].map((name) => ({ backstageImageRenderer: { image: image(name) } }));
  expect(post({ postMultiImageRenderer: { images } })).toMatchObject({
    images: [
      { url: 'https://yt3.ggpht.com/a=s0', thumbnails: [{ width: 288 }] },
      { url: 'https://yt3.ggpht.com/b=s0', thumbnails: [{ width: 288 }] },
    ],
  });
  const other = { thumbnails: [{ url: 'https://i.ytimg.com/vi/a/hq.jpg?sqp=-x==&rs=A' }] };
  expect(post({ backstageImageRenderer: { image: other } })).toMatchObject({
    images: [{ url: 'https://i.ytimg.com/vi/a/hq.jpg?sqp=-x==&rs=A' }],
  });
});

test('reads a poll', () => {
  const choices = [
    { text: text('Yes'), image: image('y'), voteRatio: 0.25, votePercentage: { simpleText: '25%' } },
    { text: text('No'), voteRatioIfNotSelected: 0.75, votePercentageIfNotSelected: { simpleText: '75%' } },
    { text: text('Odd'), voteRatio: 7 },
  ];
  expect(post({ pollRenderer: { choices, totalVotes: { simpleText: '1.2K votes' } } })).toMatchObject({
    poll: {
      choices: [
        { text: 'Yes', voteRatio: 0.25, voteRatioText: '25%', thumbnails: [{ width: 288 }] },
        { text: 'No', voteRatio: 0.75, voteRatioText: '75%' },
        { text: 'Odd' },
      ],
      voteCount: 1200,
      voteCountText: '1.2K votes',
    },
  });
});

test('reads a quiz', () => {
  const choices = [
    { text: text('4'), isCorrect: true, explanation: text('Count them.') },
    { text: text('5'), isCorrect: false },
  ];
  expect(post({ quizRenderer: { choices, totalVotes: { simpleText: '12 answered' } } })).toMatchObject({
    quiz: {
      choices: [
        { text: '4', correct: true, explanation: 'Count them.' },
        { text: '5', correct: false },
      ],
      voteCount: 12,
    },
  });
});

test.each<[string, unknown, object]>([
  ['a video', { videoRenderer: { videoId: 'dQw4w9WgXcQ' } }, { video: { type: 'video', id: 'dQw4w9WgXcQ' } }],
  [
    'a video in a lockup',
    { lockupViewModel: { contentId: 'dQw4w9WgXcQ', contentType: 'LOCKUP_CONTENT_TYPE_VIDEO' } },
    { video: { id: 'dQw4w9WgXcQ' } },
  ],
  ['a playlist', { playlistRenderer: { playlistId: 'PL12' } }, { playlist: { type: 'playlist', id: 'PL12' } }],
])('reads %s', (_name, attachment, expected) => expect(post(attachment)).toMatchObject(expected));

test('omits an unknown attachment', () => {
  expect(post({ hologramRenderer: {}, videoRenderer: {} })).toEqual({
    type: 'post',
    id: 'Ugkx1',
    url: 'https://www.youtube.com/post/Ugkx1',
  });
});

test('marks members-only and edited posts', () => {
  expect(
    post(undefined, {
      sponsorsOnlyBadge: { sponsorsOnlyBadgeRenderer: {} },
      publishedTimeText: text('1 day ago (edited)'),
    }),
  ).toMatchObject({ membersOnly: true, edited: true });
});

test('reads a post that shares another, with bounded nesting', () => {
  const browseEndpoint = { browseId: 'UC16niRr50-MSBwiO3YDb3RA', canonicalBaseUrl: '/@bbc' };
  const sharedPost = {
    postId: 'Ugkx2',
    displayName: { runs: [{ text: 'BBC', navigationEndpoint: { browseEndpoint } }] },
    content: text('Look'),
    originalPost: { backstagePostRenderer: { postId: 'Ugkx1', contentText: text('Hi') } },
  };
  expect(readPost({ post: { sharedPostRenderer: sharedPost } })).toMatchObject({
    id: 'Ugkx2',
    channel: { handle: '@bbc', name: 'BBC' },
    text: 'Look',
    sharedPost: { id: 'Ugkx1', text: 'Hi' },
  });
  let endless: object = { postId: 'Ugkx0' };
  for (let at = 0; at < 10_000; at += 1) endless = { postId: 'Ugkx0', originalPost: { sharedPostRenderer: endless } };
  expect(JSON.stringify(readPost(endless)).length).toBeLessThan(1_000);
});

test('posts with images are parts of the metadata, with the posts that they share', () => {
  const images = [{ url: 'https://yt3.ggpht.com/a=s0', thumbnails: [] }];
  const url = 'https://www.youtube.com/post/x';
  const channel = { id: 'UC1', handle: '@some', url: 'https://www.youtube.com/channel/UC1' };
  const plain = { type: 'post', id: 'Ugkx1', url } as const;
  const shared = { type: 'post', id: 'Ugkx2', url, channel, images } as const;
  const sharing = { type: 'post', id: 'Ugkx3', url, sharedPost: shared } as const;
  expect(partsOfPosts([plain, shared, sharing], ['channel', 'posts', 'contents'])).toEqual([
    { path: ['channel', 'posts', 'contents', 1], subjects: { items: ['Ugkx2'], channels: ['UC1', '@some'] } },
    { path: ['channel', 'posts', 'contents', 2], subjects: { items: ['Ugkx3'], channels: [] } },
    {
      path: ['channel', 'posts', 'contents', 2, 'sharedPost'],
      subjects: { items: ['Ugkx2'], channels: ['UC1', '@some'] },
    },
  ]);
});
