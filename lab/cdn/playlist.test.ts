import { describe, expect, test } from 'vitest';
import {
  itemQuery,
  masterPlaylist,
  mediaPlaylist,
  segmentLengths,
  segmentName,
  segmentQuery,
  variantQuery,
} from './playlist.ts';

test('a master playlist has one line of attributes and one link per variant', () => {
  const text = masterPlaylist([{ url: '720/index.m3u8', attributes: { BANDWIDTH: 1000, NAME: '"720"' } }]);
  expect(text).toBe('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000,NAME="720"\n720/index.m3u8\n');
});

test('a playlist of a whole title has an end tag', () => {
  expect(
    mediaPlaylist([
      { url: 'a.ts', seconds: 4 },
      { url: 'b.ts', seconds: 2.5 },
    ]),
  ).toBe(
    `#EXTM3U
#EXT-X-VERSION:3
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:1
#EXT-X-PLAYLIST-TYPE:VOD
#EXTINF:4.000,
a.ts
#EXTINF:2.500,
b.ts
#EXT-X-ENDLIST
`,
  );
});

test('a live playlist stays open and marks discontinuities', () => {
  const text = mediaPlaylist([{ url: 'a.ts', seconds: 4, discontinuity: true }], 'open', 77);
  expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:77\n#EXT-X-DISCONTINUITY\n#EXTINF:4.000,\na.ts\n');
  expect(text).not.toContain('ENDLIST');
  expect(text).not.toContain('VOD');
});

test('the playlist of an ended live stream has an end tag, but no VOD type', () => {
  const text = mediaPlaylist([{ url: 'a.ts', seconds: 4 }], 'ended');
  expect(text).toMatch(/a\.ts\n#EXT-X-ENDLIST\n$/);
  expect(text).not.toContain('VOD');
});

test('keys and initialization segments are listed where they change', () => {
  const key = { url: 'k1', iv: '0'.repeat(32) };
  const init = { url: 'i.mp4', bytes: { length: 9, offset: 0 } };
  const text = mediaPlaylist([
    { url: 'a', seconds: 4, key, init },
    { url: 'b', seconds: 4, key, init },
    { url: 'c', seconds: 4, key: { url: 'k2' }, init, discontinuity: true },
  ]);
  expect(text.split('\n').slice(5, -2)).toEqual([
    `#EXT-X-KEY:METHOD=AES-128,URI="k1",IV=0x${'0'.repeat(32)}`,
    '#EXT-X-MAP:URI="i.mp4",BYTERANGE="9@0"',
    '#EXTINF:4.000,',
    'a',
    '#EXTINF:4.000,',
    'b',
    '#EXT-X-DISCONTINUITY',
    '#EXT-X-KEY:METHOD=AES-128,URI="k2"',
    '#EXTINF:4.000,',
    'c',
  ]);
  expect(text).toContain('#EXT-X-VERSION:6\n');
});

test('byte ranges contain their offset if it is given', () => {
  const bytes = { length: 5, offset: 7 };
  const text = mediaPlaylist([
    { url: 'a', seconds: 4, bytes },
    { url: 'a', seconds: 4, bytes: { length: 6 } },
  ]);
  expect(text).toContain('#EXTINF:4.000,\n#EXT-X-BYTERANGE:5@7\na\n#EXTINF:4.000,\n#EXT-X-BYTERANGE:6\na\n');
  expect(text).toContain('#EXT-X-VERSION:4\n');
});

test('segments cover a title to its last second', () => {
  expect(segmentLengths(10, 4)).toEqual([4, 4, 2]);
  expect(segmentLengths(8, 4)).toEqual([4, 4]);
  expect(segmentLengths(2, 4)).toEqual([2]);
  expect(segmentName(12)).toBe('seg-00012.ts');
});

describe('faults on playlist links', () => {
  const query = new URLSearchParams('token=t&throttle=5&variant.latency=9&segment.cut=3&segment.only=2&segment.x=1');

  test('a master playlist passes on the faults of playlists and segments', () => {
    expect(variantQuery(query)).toBe('?token=t&segment.cut=3&segment.only=2&segment.x=1&latency=9');
  });

  test('a master playlist passes on the faults of keys and initialization segments, and the playlist options', () => {
    const all = new URLSearchParams('key.status=403&init.cut=1&live=1&liveEnd=2&rotate=3&other=1');
    expect(variantQuery(all)).toBe('?key.status=403&init.cut=1&live=1&liveEnd=2&rotate=3');
    expect(itemQuery(all, 'key')).toBe('?status=403');
    expect(itemQuery(all, 'init')).toBe('?cut=1');
  });

  test('a media playlist applies a fault only to the given segment', () => {
    expect(segmentQuery(query, 1)).toBe('?token=t');
    expect(segmentQuery(query, 2)).toBe('?token=t&cut=3');
    expect(segmentQuery(new URLSearchParams('segment.cut=3'), 7)).toBe('?cut=3');
    expect(segmentQuery(new URLSearchParams(), 1)).toBe('');
  });
});
