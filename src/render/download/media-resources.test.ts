import { expect, test } from 'vitest';
import { download } from './testing/downloads.ts';
import { serveRanges } from './testing/origin.ts';
import { createPlaylist, respondWith, segmentHandlers } from './testing/playlist-handlers.ts';

test('a file states which of its segments the playlist lists repeatedly', async () => {
  const lines = ['/seg-0', '/seg-1', '/seg-0', '/seg-0?place=3', '/seg-1'].flatMap((url) => ['#EXTINF:4,', url]);
  const handlers = {
    '/a': respondWith(createPlaylist(lines)),
    ...segmentHandlers((bytes) => serveRanges(bytes)),
    '/seg-0?place=3': serveRanges(Buffer.alloc(5000, 1)),
  };
  const { fetchedFiles } = await download(handlers, [{ url: '/a', ext: 'm3u8' }]);
  expect(fetchedFiles[0]?.parts).toMatchObject([{ segments: { seconds: [4, 4, 4, 4, 4], relisted: [2, 4] } }]);
});
