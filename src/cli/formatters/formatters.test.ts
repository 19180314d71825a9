import { expect, test } from 'vitest';
import { itemLine } from './list-item.ts';
import { listsOf } from './lists.ts';
import { metadataTable } from './metadata-table.ts';
import { qualityTable } from './quality-table.ts';
import { transcriptText } from './transcript-text.ts';

const segments = [
  { startMs: 0, durationMs: 1500, text: 'One\n\n--> two' },
  { startMs: 61_500, durationMs: 500, text: '<b> & c' },
];

test.each([
  ['text', 'One --> two\n<b> & c\n'],
  ['srt', '1\n00:00:00,000 --> 00:00:01,500\nOne\n-> two\n\n2\n00:01:01,500 --> 00:01:02,000\n<b> & c\n'],
  [
    'vtt',
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nOne\n-&gt; two\n\n00:01:01.500 --> 00:01:02.000\n&lt;b&gt; &amp; c\n',
  ],
] as const)('transcriptText formats a transcript as %s', (form, text) => {
  expect(transcriptText(segments, form)).toBe(text);
});

test('itemLine prints one line for any title', () => {
  const item = {
    type: 'video',
    id: 'lab-plain30',
    title: 'A\u001b[2J\nfilm',
    duration: 65,
    channel: { name: 'The Lab' },
  };
  expect(itemLine(item)).toBe('lab-plain30   video        1:05  A [2J film — The Lab');
  expect(itemLine({ type: 'channel', id: 'UC1', title: 'X', videoCount: 7 })).toMatch(/^UC1 +channel +7 {2}X$/);
});

test('listsOf finds lists at any depth', () => {
  const video = { type: 'video', id: 'a' };
  const metadata = {
    channel: { videos: { contents: [video], nextToken: null } },
    comments: { threads: [video], nextToken: null },
    additionalData: { searchResults: { results: [video], nextToken: null }, tags: ['a'] },
  };
  expect(listsOf(metadata).map(({ name }) => name)).toEqual(['Channel videos', 'Comments', 'Search results']);
});

test('metadataTable prints a channel as a table of names and values', () => {
  const channel = {
    channelId: 'UC1',
    title: 'The\u001b[1m Lab',
    avatar: [{ url: 'https://x' }],
    videos: { contents: [], nextToken: null },
  };
  const playlist = { info: { id: 'PL1', videoCount: 7 }, videos: [], nextToken: null };
  expect(metadataTable({ channel, playlist })).toBe(
    'channelId   UC1\ntitle       The [1m Lab\nid          PL1\nvideoCount  7\n',
  );
});

test('qualityTable prints a table of streams', () => {
  const url = 'https://x';
  const table = qualityTable({
    videos: [
      {
        label: '720p',
        url,
        repId: '1',
        metadata: {
          mime_type: 'video/mp4; codecs="avc1.64001f"',
          width: 1280,
          height: 720,
          has_audio: false,
          content_length: 1_500_000,
        },
      },
    ],
    audios: [
      { label: 'AAC', url, repId: '2', metadata: { mime_type: 'audio/mp4', width: 0, height: 0, has_audio: true } },
    ],
    images: [
      { label: 'big', url, repId: '3', metadata: { mime_type: 'image/jpeg', width: 9, height: 8, has_audio: false } },
    ],
  });
  expect(table).toBe(`KIND   QUALITY  RESOLUTION  SIZE     FORMAT           AUDIO
video  720p     1280x720    1.50 MB  mp4 avc1.64001f  no audio
audio  AAC                           mp4              audio only
image  big      9x8                  jpeg
`);
});
