import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBytes, download, hash } from './testing/downloads.ts';
import { type RequestHandler, serveRanges, serveWhole } from './testing/origin.ts';
import {
  concatenatedSegments,
  createPlaylist,
  playlistHandler,
  respondWith,
  segmentHandlers,
  segments,
} from './testing/playlist-handlers.ts';

/** Returns the lines of a playlist's first segments. */
const segmentLines = (count: number) => segments.slice(0, count).flatMap((_, index) => ['#EXTINF:4,', `/seg-${index}`]);

describe('an HLS playlist', () => {
  test('becomes one file with its segments in order', async () => {
    const handlers = { '/a': playlistHandler, ...segmentHandlers((bytes) => serveRanges(bytes)) };
    const { files, fetchedFiles, progress } = await download(handlers, [{ url: '/a', ext: 'm3u8' }]);
    expect(hash(files[0])).toBe(hash(concatenatedSegments));
    expect(fetchedFiles[0]).toMatchObject({ bytes: concatenatedSegments.length, parts: [{ duration: 48 }] });
    expect(progress.at(-1)).toBeCloseTo(1);
  });

  test('reports progress between 0 and 1 if its segments have no duration', async () => {
    const playlist = createPlaylist(segmentLines(3)).replaceAll('#EXTINF:4,', '#EXTINF:0,');
    const handlers = { '/a': respondWith(playlist), ...segmentHandlers((bytes) => serveRanges(bytes)) };
    const { progress } = await download(handlers, [{ url: '/a', ext: 'm3u8' }]);
    expect(progress.filter((fraction) => !(fraction >= 0 && fraction <= 1))).toEqual([]);
  });

  test('that is a master playlist yields the best quality', async () => {
    const master = respondWith(
      ['#EXTM3U', '#EXT-X-STREAM-INF:BANDWIDTH=100', '/low', '#EXT-X-STREAM-INF:BANDWIDTH=900', '/a'].join('\n'),
    );
    const handlers = { '/m': master, '/a': playlistHandler, ...segmentHandlers((bytes) => serveRanges(bytes)) };
    const { files } = await download(handlers, [{ url: '/m', ext: 'm3u8' }]);
    expect(hash(files[0])).toBe(hash(concatenatedSegments));
  });

  test.each<[string, string, boolean | undefined]>([
    ['by a codec', ',CODECS="avc1.64001e,mp4a.40.2"', true],
    ['by a group that does not exist', ',AUDIO="absent"', true],
    ['neither by a codec nor by a group', ',CODECS="avc1.64001e"', undefined],
  ])('states whether its variant declares audio: %s', async (_how, attributes, declaresAudio) => {
    const master = respondWith(`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=900${attributes}\n/a`);
    const handlers = { '/m': master, '/a': playlistHandler, ...segmentHandlers((bytes) => serveRanges(bytes)) };
    const { results } = await download(handlers, [{ url: '/m', ext: 'm3u8' }]);
    expect(results[0]?.declaresAudio).toBe(declaresAudio);
  });

  test('has variables by name, from its master playlist and from its query', async () => {
    const master = ['#EXTM3U', '#EXT-X-DEFINE:NAME="name",VALUE="seg"', '#EXT-X-STREAM-INF:BANDWIDTH=9', '/a?from=0'];
    const definitions = ['#EXT-X-DEFINE:IMPORT="name"', '#EXT-X-DEFINE:QUERYPARAM="from"'];
    const media = createPlaylist([...definitions, '#EXTINF:4,', '/{$name}-{$from}', '#EXTINF:4,', '/{$name}-1']);
    const handlers = {
      '/m': respondWith(master.join('\n')),
      '/a': respondWith(media),
      ...segmentHandlers((bytes) => serveRanges(bytes)),
    };
    const { files } = await download(handlers, [{ url: '/m', ext: 'm3u8' }]);
    expect(hash(files[0])).toBe(hash(Buffer.concat(segments.slice(0, 2))));
  });

  test('is downloaded despite segments without a length or ranges, and broken connections', async () => {
    let cuts = 0;
    const handlers = segmentHandlers((bytes, index) => {
      if (index % 3 === 0) return (_request, response) => void response.writeHead(200).end(bytes);
      if (index % 3 === 1) return serveWhole(bytes, () => (cuts++ < 2 ? 5000 : undefined));
      return serveRanges(bytes, (from) => (from === 0 ? 70_000 : undefined));
    });
    const { files } = await download({ '/a': playlistHandler, ...handlers }, [{ url: '/a', ext: 'm3u8' }]);
    expect(hash(files[0])).toBe(hash(concatenatedSegments));
  });

  test('fails with the name of a segment that no longer exists', async () => {
    const handlers = {
      '/a': playlistHandler,
      ...segmentHandlers((bytes) => serveRanges(bytes)),
      '/seg-7': undefined as unknown as RequestHandler,
    };
    await expect(download(handlers, [{ url: '/a', ext: 'm3u8' }])).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringContaining('Segment 8 of 12 of input 1'),
    });
  });

  test('that has not ended is rejected, and the same job can succeed later', async () => {
    let requests = 0;
    const live: RequestHandler = (_request, response) => {
      requests += 1;
      response.writeHead(200).end(createPlaylist(segmentLines(requests), false));
    };
    const master = ['#EXTM3U', '#EXT-X-STREAM-INF:BANDWIDTH=900', '/live'].join('\n');
    const handlers = {
      '/a': playlistHandler,
      ...segmentHandlers((bytes) => serveRanges(bytes)),
      '/live': live,
      '/master': respondWith(master),
    };
    for (const url of ['/live', '/master']) {
      const inputs = [
        { url: '/a', ext: 'm3u8' },
        { url, ext: 'm3u8' },
      ] as const;
      await expect(download(handlers, inputs)).rejects.toMatchObject({
        code: 'source_unsupported',
        retryable: true,
        message: 'Input 2 is a live stream that has not ended. Start the job again after it ends.',
      });
    }
  });

  const vod = '#EXT-X-PLAYLIST-TYPE:VOD';

  test.each([
    ['because it is of type VOD', [vod], '\n', 2],
    ['because it has not changed for three target durations', [], '\n', 4],
    ['for the same reason if its last line may be truncated, although it is of type VOD', [vod], '', 4],
  ])('without an end is complete %s', async (_why, tags, lineEnd, reads) => {
    const serve = respondWith(`${createPlaylist([...tags, ...segmentLines(3)], false).trimEnd()}${lineEnd}`);
    const handlers = { '/a': serve, ...segmentHandlers((bytes) => serveRanges(bytes)) };
    const { files, requestLog } = await download(handlers, [{ url: '/a', ext: 'm3u8' }]);
    expect(hash(files[0])).toBe(hash(Buffer.concat(segments.slice(0, 3))));
    expect(requestLog.filter(({ url }) => url === '/a')).toHaveLength(reads);
  });

  test.each([
    ['has no URI, of type VOD', [vod], '#EXTINF:4,\n'],
    ['has no URI', [], '#EXTINF:4,\n'],
    ['has a truncated tag', [], '#EX'],
  ])('without an end is incomplete if its last segment %s', async (_what, tags, end) => {
    const serve = respondWith(`${createPlaylist([...tags, ...segmentLines(3)], false)}${end}`);
    const handlers = { '/a': serve, ...segmentHandlers((bytes) => serveRanges(bytes)) };
    await expect(download(handlers, [{ url: '/a', ext: 'm3u8' }])).rejects.toMatchObject({
      code: 'download_incomplete',
      message: expect.stringMatching(/^Input 1 could not be fetched completely: its playlist ends before the address/),
    });
  });

  test('of type VOD without an end is not complete if it arrived truncated', async () => {
    let requests = 0;
    const serve: RequestHandler = (_request, response) => {
      requests += 1;
      const whole = createPlaylist(['#EXT-X-PLAYLIST-TYPE:VOD', ...segmentLines(3)]);
      response.writeHead(200, { connection: 'close' });
      response.end(requests === 1 ? whole.slice(0, whole.indexOf('/seg-1') - 9) : whole);
    };
    const handlers = { '/a': serve, ...segmentHandlers((bytes) => serveRanges(bytes)) };
    const { files } = await download(handlers, [{ url: '/a', ext: 'm3u8' }]);
    expect(hash(files[0])).toBe(hash(Buffer.concat(segments.slice(0, 3))));
  });

  test('of byte ranges is incomplete if a range reaches beyond the end of its file', async () => {
    const file = createBytes(2_900);
    const lines = ['1000@1900', '1000@0', '900@1000'].flatMap((range) => [
      '#EXTINF:4,',
      `#EXT-X-BYTERANGE:${range}`,
      '/f',
    ]);
    const wrong = ['1000@2000', ...['1000@0', '1000@1000']].flatMap((range) => [
      ...['#EXTINF:4,', `#EXT-X-BYTERANGE:${range}`, '/f'],
    ]);
    const fetch = (list: readonly string[]) =>
      download({ '/a': respondWith(createPlaylist(list)), '/f': serveRanges(file) }, [{ url: '/a', ext: 'm3u8' }]);
    expect((await fetch(lines)).files[0]).toHaveLength(2_900);
    await expect(fetch(wrong)).rejects.toMatchObject({
      code: 'download_incomplete',
      message: expect.stringContaining('Segment 1 of 3 of input 1 is incomplete: it reaches to byte 2999'),
    });
  });

  test('that ends while it is watched is complete', async () => {
    let requests = 0;
    const serve: RequestHandler = (_request, response) => {
      requests += 1;
      response.writeHead(200).end(createPlaylist(segmentLines(requests > 2 ? 2 : 1), requests > 2));
    };
    const handlers = { '/a': serve, ...segmentHandlers((bytes) => serveRanges(bytes)) };
    const { files } = await download(handlers, [{ url: '/a', ext: 'm3u8' }]);
    expect(hash(files[0])).toBe(hash(Buffer.concat(segments.slice(0, 2))));
  });

  test.each([
    ['without segments', createPlaylist([]), 'without segments'],
    [
      'without any segment that exists',
      createPlaylist(['#EXT-X-GAP', '#EXTINF:4,', '/seg-0']),
      'missing segments only',
    ],
    [
      'protected by DRM',
      createPlaylist([
        '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.apple.streamingkeydelivery"',
        '#EXTINF:4,',
        '/seg-0',
      ]),
      'DRM',
    ],
    ['no playlist', 'WEBVTT', 'not an HLS playlist'],
  ])('that is %s is rejected', async (_name, content, reason) => {
    await expect(download({ '/a': respondWith(content) }, [{ url: '/a', ext: 'm3u8' }])).rejects.toMatchObject({
      code: 'source_unsupported',
      message: expect.stringContaining(reason),
    });
  });

  describe('with missing segments', () => {
    const whole = createPlaylist(segmentLines(2));
    const withGap = createPlaylist([
      ...['#EXTINF:4,', '/seg-0', '#EXT-X-GAP', '#EXTINF:4,', '/nothing', '#EXTINF:4,', '/seg-2'],
      ...['#EXT-X-GAP', '#EXTINF:1,', '/nothing', '#EXTINF:2,', '/seg-3'],
    ]);
    const master = (...names: readonly string[]) =>
      respondWith(
        ['#EXTM3U', ...names.flatMap((name, at) => [`#EXT-X-STREAM-INF:BANDWIDTH=${9 - at}`, name])].join('\n'),
      );
    const handlers = {
      '/whole': respondWith(whole),
      '/gap': respondWith(withGap),
      ...segmentHandlers((bytes) => serveRanges(bytes)),
    };

    test('is replaced by the best variant without them', async () => {
      const list = { ...handlers, '/m': master('/gap', '/gap', '/whole') };
      const { files, results } = await download(list, [{ url: '/m', ext: 'm3u8' }]);
      expect(hash(files[0])).toBe(hash(Buffer.concat(segments.slice(0, 2))));
      expect(results[0]).toMatchObject({ variantWithGaps: { bandwidth: 9 } });
      expect(results[0]).not.toHaveProperty('gaps');
    });

    test('is not replaced by a variant that is gone, or that has no picture', async () => {
      const sound = '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="mp4a.40.2"\n/whole';
      const text = `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9\n/gap\n#EXT-X-STREAM-INF:BANDWIDTH=8\n/gone\n${sound}`;
      const { results } = await download({ ...handlers, '/m': respondWith(text) }, [{ url: '/m', ext: 'm3u8' }]);
      expect(results[0]).toMatchObject({ gaps: { segments: 2, seconds: 5 } });
    });

    test('has a file for each part between them, if there is no other variant', async () => {
      const list = { ...handlers, '/m': master('/gap') };
      for (const url of ['/m', '/gap']) {
        const { files, results, requestLog } = await download(list, [{ url, ext: 'm3u8' }]);
        expect(files.map(hash)).toEqual([segments[0], segments[2], segments[3]].map(hash));
        const { gaps, files: [file] = [] } = results[0] ?? {};
        expect(gaps).toEqual({ segments: 2, seconds: 5 });
        expect(file?.parts.map(({ duration, section }) => [duration, section])).toEqual([
          [4, 0],
          [4, 0],
          [2, 0],
        ]);
        expect(requestLog.filter(({ url: path }) => path === '/nothing')).toEqual([]);
      }
    });

    test('begins a clip after a missing segment', async () => {
      const clip = { start: 5, end: 11 };
      const { files, results } = await download(handlers, [{ url: '/gap', ext: 'm3u8' }], { clip });
      expect(files.map(hash)).toEqual([segments[2]].map(hash));
      expect(results[0]?.files[0]?.parts[0]).toMatchObject({ excerptStart: 8, duration: 4 });
    });
  });

  test('of byte ranges with an initialisation section becomes one file that starts with the section', async () => {
    const head = createBytes(1000);
    const media = createPlaylist([
      '#EXT-X-MAP:URI="/all",BYTERANGE="1000@0"',
      ...segments.flatMap(({ length }, index) => [
        '#EXTINF:4,',
        `#EXT-X-BYTERANGE:${length}${index === 0 ? '@1000' : ''}`,
        '/all',
      ]),
    ]);
    const { files, fetchedFiles } = await download(
      { '/a': respondWith(media), '/all': serveRanges(Buffer.concat([head, concatenatedSegments])) },
      [{ url: '/a', ext: 'm3u8' }],
    );
    expect(hash(files[0])).toBe(hash(Buffer.concat([head, concatenatedSegments])));
    expect(fetchedFiles[0]?.parts).toMatchObject([{ path: expect.stringMatching(/\.mp4$/), duration: 48 }]);
  });

  test('that changes its initialisation section becomes several parts', async () => {
    const [one, two] = [createBytes(100), createBytes(200)];
    const content = createPlaylist([
      ...['#EXT-X-MAP:URI="/one"', '#EXTINF:4,', '/seg-0', '#EXTINF:4,', '/seg-1'],
      ...['#EXT-X-DISCONTINUITY', '#EXT-X-MAP:URI="/two"', '#EXTINF:4,', '/seg-2'],
    ]);
    const handlers = { '/a': respondWith(content), '/one': serveRanges(one), '/two': serveRanges(two) };
    const { files, fetchedFiles } = await download({ ...handlers, ...segmentHandlers((bytes) => serveRanges(bytes)) }, [
      { url: '/a', ext: 'm3u8' },
    ]);
    const parts = [
      [one, ...segments.slice(0, 2)],
      [two, ...segments.slice(2, 3)],
    ].map((list) => Buffer.concat(list));
    expect(files.map(hash)).toEqual(parts.map(hash));
    expect(fetchedFiles).toMatchObject([
      { bytes: Buffer.concat(parts).length, parts: [{ duration: 8 }, { duration: 4 }] },
    ]);
    expect(fetchedFiles[0]?.parts.map(({ section }) => section)).toEqual([0, 1]);
  });

  test('that changes only its initialisation section keeps its clock', async () => {
    const content = createPlaylist([
      ...['#EXT-X-MAP:URI="/one"', '#EXTINF:4,', '/seg-0'],
      ...['#EXT-X-MAP:URI="/two"', '#EXTINF:4,', '/seg-1'],
    ]);
    const handlers = {
      '/a': respondWith(content),
      '/one': serveRanges(createBytes(100)),
      '/two': serveRanges(createBytes(200)),
    };
    const { fetchedFiles } = await download({ ...handlers, ...segmentHandlers((bytes) => serveRanges(bytes)) }, [
      { url: '/a', ext: 'm3u8' },
    ]);
    expect(fetchedFiles[0]?.parts.map(({ section }) => section)).toEqual([0, 0]);
  });

  test('starts a new part if the byte range of its initialisation section changes within the same resource', async () => {
    const content = createPlaylist([
      ...['#EXT-X-MAP:URI="/one",BYTERANGE="50@0"', '#EXTINF:4,', '/seg-0', '#EXTINF:4,', '/seg-1'],
      ...['#EXT-X-MAP:URI="/one",BYTERANGE="50@50"', '#EXTINF:4,', '/seg-2'],
    ]);
    const handlers = { '/a': respondWith(content), '/one': serveRanges(createBytes(100)) };
    const { files } = await download({ ...handlers, ...segmentHandlers((bytes) => serveRanges(bytes)) }, [
      { url: '/a', ext: 'm3u8' },
    ]);
    const [head, next] = [createBytes(100).subarray(0, 50), createBytes(100).subarray(50)];
    const parts = [Buffer.concat([head, ...segments.slice(0, 2)]), Buffer.concat([next, ...segments.slice(2, 3)])];
    expect(files.map(hash)).toEqual(parts.map(hash));
  });

  test('is split into separate files at its discontinuities', async () => {
    const content = createPlaylist([
      ...['#EXT-X-DISCONTINUITY', '#EXTINF:4,', '/seg-0', '#EXTINF:2.5,', '/seg-1'],
      ...['#EXT-X-DISCONTINUITY', '#EXTINF:4,', '/seg-2', '#EXT-X-DISCONTINUITY', '#EXTINF:0.5,', '/seg-3'],
    ]);
    const { files, fetchedFiles } = await download(
      { '/a': respondWith(content), ...segmentHandlers((bytes) => serveRanges(bytes)) },
      [{ url: '/a', ext: 'm3u8' }],
    );
    const parts = [Buffer.concat(segments.slice(0, 2)), segments[2], segments[3]];
    expect(files.map(hash)).toEqual(parts.map(hash));
    const names = fetchedFiles[0]?.parts.map(({ path, duration }) => `${basename(path)} ${duration}`);
    expect(names).toEqual(['input-1.ts 6.5', 'input-1-2.ts 4', 'input-1-3.ts 0.5']);
  });

  test('is refused if it would become more than 2,000 files, whatever separates them', async () => {
    const separators = [
      '#EXT-X-DISCONTINUITY',
      '#EXTINF:4,\n#EXT-X-GAP\n/gap',
      '#EXT-X-MAP:URI="/a"',
      '#EXT-X-MAP:URI="/b"',
    ];
    const lines = Array.from({ length: 2_001 }, (_, at) => `${separators[at % 4]}\n#EXTINF:4,\n/seg-0`);
    const result = download({ '/a': respondWith(createPlaylist(lines)) }, [{ url: '/a', ext: 'm3u8' }]);
    await expect(result).rejects.toThrow('The playlist has more than 2000 discontinuities, gaps and changes');
  });

  test('with a separate audio playlist becomes two files', async () => {
    const master = respondWith(
      [
        '#EXTM3U',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="other",URI="/nothing"',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="main",DEFAULT=YES,URI="/sound"',
        '#EXT-X-STREAM-INF:BANDWIDTH=900,AUDIO="a"',
        '/a',
      ].join('\n'),
    );
    const sound = respondWith(createPlaylist(['#EXTINF:40,', '/seg-3']));
    const handlers = {
      '/m': master,
      '/a': playlistHandler,
      '/sound': sound,
      ...segmentHandlers((bytes) => serveRanges(bytes)),
    };
    const { files, fetchedFiles } = await download(handlers, [{ url: '/m', ext: 'm3u8' }]);
    expect(files.map(hash)).toEqual([hash(concatenatedSegments), hash(segments[3])]);
    expect(fetchedFiles.map(({ parts }) => parts[0]?.duration)).toEqual([48, 40]);
  });

  test('that points to a private address is rejected', async () => {
    const inside = respondWith(createPlaylist(['#EXTINF:4,', 'http://10.0.0.1/seg.ts']));
    await expect(download({ '/a': inside }, [{ url: '/a', ext: 'm3u8' }])).rejects.toMatchObject({
      code: 'address_refused',
    });
  });
});
