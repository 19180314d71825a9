import { expect, test } from 'vitest';
import { readRuns, readText } from './text.ts';

test.each<[unknown, string | undefined]>([
  [{ simpleText: ' a ' }, 'a'],
  [{ runs: [{ text: 'a' }, { text: ' b' }] }, 'a b'],
  [{ runs: [{ text: 'a ' }, { emoji: { emojiId: '😀' } }] }, 'a 😀'],
  [{ runs: [{ emoji: { emojiId: 'UC/x', isCustomEmoji: true, shortcuts: [':hi:'] } }] }, ':hi:'],
  [{ content: 'c' }, 'c'],
  ['d', 'd'],
  [{ runs: [] }, undefined],
  [{ simpleText: 3 }, undefined],
  [null, undefined],
  [[{ text: 'a' }], undefined],
])('reads the text of %j', (node, words) => expect(readText(node)).toBe(words));

test('reads runs with their links', () => {
  const redirect = 'https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fa.example%2Fb';
  const runs = [
    { text: 'see ' },
    { text: 'a.example/b', navigationEndpoint: { urlEndpoint: { url: redirect } } },
    { text: '1:02', navigationEndpoint: { watchEndpoint: { videoId: 'dQw4w9WgXcQ', startTimeSeconds: 62 } } },
    {
      text: '@bbc',
      navigationEndpoint: { browseEndpoint: { browseId: 'UC16niRr50-MSBwiO3YDb3RA', canonicalBaseUrl: '/@bbc' } },
    },
  ];
  expect(readRuns({ runs })).toEqual([
    { text: 'see ' },
    { text: 'a.example/b', url: 'https://a.example/b' },
    { text: '1:02', videoId: 'dQw4w9WgXcQ', startSeconds: 62 },
    { text: '@bbc', channelId: 'UC16niRr50-MSBwiO3YDb3RA', handle: '@bbc' },
  ]);
});

test('splits a `content` text at its links and images', () => {
  const image = { sources: [{ url: 'https://yt3.ggpht.com/e=w24', width: 24, height: 24 }] };
  const node = {
    content: '😀 link :hi: end',
    commandRuns: [
      { startIndex: 3, length: 4, onTap: { innertubeCommand: { urlEndpoint: { url: 'https://a.example/' } } } },
      { startIndex: 4, length: 99, onTap: { innertubeCommand: { urlEndpoint: { url: 'https://b.example/' } } } },
    ],
    attachmentRuns: [{ startIndex: 8, length: 4, element: { type: { imageType: { image } } } }],
  };
  expect(readRuns(node)).toEqual([
    { text: '😀 ' },
    { text: 'link', url: 'https://a.example/' },
    { text: ' ' },
    { text: ':hi:', emojiUrl: 'https://yt3.ggpht.com/e=w24' },
    { text: ' end' },
  ]);
});

test('splits a `content` text when its style changes, also within a link', () => {
  const node = {
    content: 'a bold link',
    commandRuns: [
      { startIndex: 7, length: 4, onTap: { innertubeCommand: { urlEndpoint: { url: 'https://a.example/' } } } },
      { startIndex: 9, length: 2, onTap: { innertubeCommand: { urlEndpoint: { url: 'https://b.example/' } } } },
    ],
    styleRuns: [
      { startIndex: 2, length: 7, weightLabel: 'FONT_WEIGHT_MEDIUM' },
      { startIndex: 9, length: 2, weightLabel: 'FONT_WEIGHT_NORMAL', italic: true, strikethrough: 'LINE_STYLE_SINGLE' },
    ],
  };
  const url = 'https://a.example/';
  expect(readRuns(node)).toEqual([
    { text: 'a ' },
    { text: 'bold ', bold: true },
    { text: 'li', bold: true, url },
    { text: 'nk', italic: true, strikethrough: true, url },
  ]);
  expect(readRuns({ content: '', styleRuns: [{ startIndex: 0, length: 1, italic: true }] })).toEqual([]);
});
