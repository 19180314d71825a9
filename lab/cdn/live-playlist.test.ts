import { expect, test } from 'vitest';
import { parseTitle } from '../media/titles.ts';
import { livePlaylist, liveSegmentName } from './live-playlist.ts';

const title = parseTitle('amber-60');
if (title === undefined) throw new Error('There is no amber-60.');
const at = (now: number) => livePlaylist(title, (number) => `live-${number}.ts`, now);

test('the window of a live playlist moves with the clock', () => {
  const links = at(64_000)
    .split('\n')
    .filter((line) => line.startsWith('live-'));
  expect(links).toEqual([10, 11, 12, 13, 14, 15].map((number) => `live-${number}.ts`));
  expect(at(64_000)).toContain('#EXT-X-DISCONTINUITY\n#EXTINF:4.000,\nlive-15.ts');
  expect(at(68_000)).toContain('#EXT-X-MEDIA-SEQUENCE:11');
});

test('the segments of a live stream repeat those of its title', () => {
  expect([0, 14, 15, 31].map((number) => liveSegmentName(title, number))).toEqual([
    'seg-00001.ts',
    'seg-00015.ts',
    'seg-00001.ts',
    'seg-00002.ts',
  ]);
});
