import { describe, expect, inject, test } from 'vitest';
import { firstRows } from '../support/first-rows.ts';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile, requestsWithToken } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';

const service = inject('serviceUrl');

type Faults = Record<string, string | number>;
const input = (path: string, faults: Faults = {}, more = {}) => ({
  url: labFile(path, faults).url,
  ext: path.split('.').at(-1) ?? '',
  ...more,
});

/** Returns the kinds of the tracks and their duration in seconds. */
async function measure(file: Buffer): Promise<[string[], number]> {
  const { tracks } = await inspect(file);
  return [tracks.map(({ kind }) => kind).sort(), Math.round(Math.max(...tracks.map(({ duration }) => duration)))];
}

describe('HLS becomes one file', () => {
  const forms: readonly (readonly [string, string, Record<string, string | number>, number])[] = [
    ['fragmented MP4', '/hls/amber-12/360/fmp4.m3u8', {}, 12],
    ['byte ranges of MPEG-TS', '/hls/amber-12/360/ranges.m3u8', {}, 12],
    ['AES-128 with derived vectors', '/hls/amber-12/360/aes-derived.m3u8', {}, 12],
    ['a discontinuity that restarts the clock', '/hls/amber-12/360/discontinuity.m3u8', {}, 24],
    ['a separate audio playlist', '/hls/amber-12/master-audio.m3u8', {}, 12],
    ['compressed segments', '/hls/amber-12/360/index.m3u8', { 'segment.encoding': 'gzip' }, 12],
    ['consecutive byte ranges', '/hls/amber-12/360/ranges-implicit.m3u8', {}, 12],
    ['byte ranges of fragmented MP4', '/hls/amber-12/360/fmp4-ranges.m3u8', {}, 12],
    ['consecutive byte ranges of fragmented MP4', '/hls/amber-12/360/fmp4-ranges-implicit.m3u8', {}, 12],
    ['AES-128 with explicit vectors', '/hls/amber-12/360/aes.m3u8', {}, 12],
    ['AES-128 with a new key in the middle', '/hls/amber-12/360/aes.m3u8', { rotate: 2 }, 12],
    ['AES-128 with broken connections', '/hls/amber-12/360/aes.m3u8', { 'segment.cutOnce': 5_001 }, 12],
    ['a discontinuity of fragmented MP4', '/hls/amber-12/360/fmp4-discontinuity.m3u8', {}, 24],
    ['a master playlist of fragmented MP4', '/hls/amber-12/master-fmp4.m3u8', {}, 12],
    ['a separate audio playlist of fragmented MP4', '/hls/amber-12/master-audio-fmp4.m3u8', {}, 12],
    ['an ended live stream', '/hls/amber-12/360/index.m3u8', { liveEnd: 1 }, 12],
  ];
  for (const { rows, options } of firstRows(6, forms)) {
    test.each(rows)('from %s', options, async (_name, path, faults, seconds) => {
      const { file } = await render(service, describeJob('convert_format', [input(path, faults)], 'mp4'));
      expect(await measure(file)).toEqual([['audio', 'video'], seconds]);
    });
  }

  test('with audio only from a separate audio playlist', async () => {
    const job = describeJob('extract_audio', [input('/hls/amber-12/master-audio.m3u8')], 'm4a');
    expect(await measure((await render(service, job)).file)).toEqual([['audio'], 12]);
  });
});

describe('a misbehaving source', () => {
  const movie = '/media/giant-10/movie-360.mp4';

  test('sends gzip, which is decoded', async () => {
    const { file } = await render(service, describeJob('convert_format', [input(movie, { encoding: 'gzip' })], 'mp4'));
    expect(await measure(file)).toEqual([['audio', 'video'], 10]);
  });

  test('changes during the download, which restarts so that the file is consistent', async () => {
    const changing = input(movie, { etagChange: 3 }, { chunkDownload: { size: 262_144, concurrency: 1 } });
    const { file } = await render(service, describeJob('convert_format', [changing], 'mp4'));
    expect((await measure(file))[1]).toBe(10);
  });

  test('sends other ranges than requested, and is downloaded whole', async () => {
    const { url, token } = labFile(movie, { wrongRange: 1 });
    const { file } = await render(service, describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4'));
    expect(await measure(file)).toEqual([['audio', 'video'], 10]);
    expect((await requestsWithToken(inject('labUrl'), token)).at(-1)?.range ?? null).toBeNull();
  });

  const sources: readonly (readonly [string, string, Faults, RegExp, Record<string, unknown>])[] = [
    [
      'a gzip bomb',
      movie,
      { bomb: 50_000_000_000 },
      /too large.*limit/,
      { limits: { inputSize: { total: 20_000_000 } } },
    ],
    ['a page instead of media', movie, { html: 1 }, /web page/, {}],
    [
      'a body that never ends',
      movie,
      { endless: 1, noRanges: 1 },
      /too large.*limit/,
      { limits: { inputSize: { total: 20_000_000 } } },
    ],
    ['a playlist that names itself', '/hostile/nested.m3u8', {}, /inside another/, {}],
    ['a playlist of a playlist of a playlist', '/hostile/chain.m3u8', {}, /inside another/, {}],
    ['a live stream', '/hls/amber-12/360/index.m3u8', { live: 1 }, /live/, {}],
    ['a missing key', '/hls/amber-12/360/aes.m3u8', { 'key.status': 404 }, /key.*404/i, {}],
    [
      'a missing initialisation section',
      '/hls/amber-12/360/fmp4.m3u8',
      { 'init.status': 404 },
      /initialisation.*404/i,
      {},
    ],
    ['redirects in a loop', movie, { redirectLoop: 1 }, /redirected/, {}],
    ['a body of a pebibyte', movie, { endless: 'length', noRanges: 1 }, /too large.*limit/, {}],
    ['only 503 responses until the timeout ends during a pause', movie, { status: 503 }, /timeout/, { timeout: 1_500 }],
    ['an occasional byte', movie, { trickle: 200 }, /timeout/, { timeout: 1_500 }],
    ['a playlist that never ends', '/hostile/endless.m3u8', {}, /larger|timeout/, { timeout: 20_000 }],
    ['a playlist of a million segments', '/hostile/million.m3u8', {}, /larger|many/, {}],
  ];
  for (const { rows, options } of firstRows(9, sources)) {
    test.each(rows)('with %s fails with a readable reason', options, async (_name, path, faults, reason, more) => {
      const event = await run(service, describeJob('convert_format', [input(path, faults)], 'mp4', more));
      expect(event).toMatchObject({ status: 'failed', error: expect.stringMatching(reason) });
    });
  }
});
