import { describe, expect, test } from 'vitest';
import { itemLine } from './list-item.ts';
import { listsOf } from './lists.ts';
import { liveText } from './live-text.ts';
import { overviewOf } from './overview.ts';
import { qualityTable } from './quality-table.ts';

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

describe('overviewOf', () => {
  test('shows the size, description and link of a channel', () => {
    const channel = {
      ...{ channelId: 'UC1', handle: '@lab', description: 'Films\u001b[1m\nand more', url: 'https://x/UC1' },
      ...{ subscriberCount: 50_000, videoCount: 95, viewCount: 1_553_441, joinedText: 'Joined Jan 2, 2012' },
      ...{ verified: true, avatar: [{ url: 'https://x' }], videos: { contents: [], nextToken: null } },
    };
    expect(overviewOf({ channel })).toBe(
      '@lab · 50K subscribers · 95 videos · 1.6M views · Joined Jan 2, 2012 · verified\n' +
        'Films [1m and more\nhttps://x/UC1\n',
    );
  });

  test('shows a list rather than its author, and shortens descriptions', () => {
    const playlist = { info: { id: 'PL1', videoCount: 7, description: 'a'.repeat(500) }, videos: [], nextToken: null };
    const text = overviewOf({ author: { name: 'The Lab' }, playlist });
    expect(text).toBe(`7 videos\n${'a'.repeat(300)}…\n`);
    expect(overviewOf({ author: { handle: 'lab', private: true } })).toBe('@lab · private\n');
    expect(overviewOf({ title: 'A film' })).toBe('');
  });
});

test('liveText says that a broadcast is live or has not started', () => {
  const textOf = (additionalData: Record<string, unknown>) => liveText({ additionalData });
  expect(textOf({ isLive: true })).toBe('LIVE');
  expect(textOf({ isUpcoming: true, live: { scheduledAt: '2026-11-27T12:00:00.000Z' } })).toBe(
    'starts at 2026-11-27 12:00 UTC',
  );
  expect(textOf({ isUpcoming: true, live: { scheduledAt: 'soon' } })).toBe('has not started');
  expect([textOf({ isLive: false }), liveText({})]).toEqual([undefined, undefined]);
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
  expect(table).toBe(`KIND   QUALITY  RESOLUTION  CODEC  FORMAT  SIZE     AUDIO
video  720p     1280x720    H.264  mp4     1.50 MB  added by get
audio  AAC                         mp4
image  big      9x8                jpeg
`);
});
