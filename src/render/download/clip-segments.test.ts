import { expect, test } from 'vitest';
import { download, hash } from './testing/downloads.ts';
import { serveRanges } from './testing/origin.ts';
import {
  createPlaylist,
  playlistHandler,
  respondWith,
  segmentHandlers,
  segmentPaths,
  segments,
} from './testing/playlist-handlers.ts';

const handlers = { '/a': playlistHandler, ...segmentHandlers((bytes) => serveRanges(bytes)) };
const input = { url: '/a', ext: 'm3u8' };

test('only the segments of a clip are fetched, and the file states where it begins', async () => {
  const { files, fetchedFiles, requestLog } = await download(handlers, [input], { clip: { start: 13, end: 21 } });
  expect(hash(files[0])).toBe(hash(Buffer.concat(segments.slice(3, 6))));
  expect(fetchedFiles[0]?.parts).toMatchObject([
    { duration: 12, excerptStart: 12, section: 0, segments: { first: 4, inAll: 12, seconds: [4, 4, 4] } },
  ]);
  // The beginning of the first one tells whether decoding can begin there.
  expect(requestLog.map(({ url }) => url).toSorted()).toEqual(['/a', '/seg-3', '/seg-3', '/seg-4', '/seg-5']);
});

test('segments after a discontinuity begin the first section of a clip', async () => {
  const lines = segmentPaths.flatMap((name, at) => [
    ...(at === 2 || at === 5 ? ['#EXT-X-DISCONTINUITY'] : []),
    '#EXTINF:4,',
    name,
  ]);
  const playlist = respondWith(createPlaylist(lines));
  const { fetchedFiles } = await download({ ...handlers, '/a': playlist }, [input], { clip: { start: 13, end: 21 } });
  expect(fetchedFiles[0]?.parts).toMatchObject([
    { duration: 8, excerptStart: 12, section: 0 },
    { duration: 4, section: 1 },
  ]);
  expect(fetchedFiles[0]?.parts[1]).not.toHaveProperty('excerptStart');
});

test('a clip after the end of a playlist fails with the duration', async () => {
  await expect(download(handlers, [input], { clip: { start: 48 } })).rejects.toMatchObject({
    code: 'clip_out_of_range',
    message: 'The clip starts at 48 s, but input 1 lasts 48 s. Choose a clip within it.',
    input: 0,
  });
});
