import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';

const service = inject('serviceUrl');

/** Track of a title of 24 seconds, in six segments of four seconds. */
const track = '/hls/coral-24/180';

const convert = (path: string, query: Record<string, string | number>) =>
  describeJob('convert_format', [{ url: labFile(path, query).url, ext: 'm3u8' }], 'mp4');

/** Replaces the third segment with another response. */
const third = (instead: string) => ({ 'segment.only': 3, 'segment.instead': instead });

const named = 'Segment 3 of 6 of input 1';

describe('an invalid segment in the middle of a playlist fails the job and is named', { tags: ['long'] }, () => {
  test.each([
    ['nothing', 'empty', 'download_incomplete', true, /is empty/],
    ['JSON', 'json', 'source_refused', false, /returned a JSON document .* Request new source links/],
    ['text', 'text', 'source_refused', false, /returned text/],
    ['a page that claims to be media', 'page', 'source_refused', false, /returned a web page/],
    ['only MPEG-TS tables', 'tables', 'input_incomplete', true, /holds no media, but its playlist declares 4\.0 s/],
    ['less than a third', 'third', 'input_incomplete', true, /holds [01]\.\d s of media, .* declares 4\.0 s/],
    ['the segment twice', 'twice', 'input_incomplete', true, /lasts 8\.\d s, .* declares 4\.0 s/],
  ])('in MPEG-TS: %s', async (_name, instead, error_code, retryable, reason) => {
    const event = await run(service, convert(`${track}/index.m3u8`, third(instead)));
    expect(event).toMatchObject({ status: 'failed', error_code, retryable, input: 0, output: null });
    expect(event).toMatchObject({ error: expect.stringMatching(reason) });
    expect(event).toMatchObject({ error: expect.stringContaining(named) });
  });

  test.each([
    ['nothing', 'empty', 'download_incomplete'],
    ['JSON', 'json', 'source_refused'],
    ['the segment twice', 'twice', 'input_incomplete'],
  ])('in fragmented MP4: %s', async (_name, instead, error_code) => {
    const event = await run(service, convert(`${track}/fmp4.m3u8`, third(instead)));
    expect(event).toMatchObject({ status: 'failed', error_code, error: expect.stringContaining(named), input: 0 });
  });

  test.each([
    ['encrypted', `${track}/aes.m3u8`],
    ['before a discontinuity', `${track}/restarts.m3u8`],
    ['with separate audio', '/hls/coral-24/master-audio.m3u8'],
  ])('in another kind of playlist: %s', async (_name, path) => {
    const event = await run(service, convert(path, third(path.includes('aes') ? 'json' : 'third')));
    expect(event).toMatchObject({ status: 'failed', input: 0, error: expect.stringContaining('Segment 3 of') });
  });

  test('when it is encoded', async () => {
    const operation = { type: 'convert_format', copyStreams: false };
    const event = await run(service, { ...convert(`${track}/index.m3u8`, third('third')), operation });
    expect(event).toMatchObject({ status: 'failed', error_code: 'input_incomplete' });
  });
});

describe('a playlist that declares more than its segments play is rendered without a loss', { tags: ['long'] }, () => {
  test.each([
    ['whole seconds', '/index.m3u8', 1],
    ['fractions of a second', '/index.m3u8', 0.9],
    ['fragmented MP4', '/fmp4.m3u8', 1],
    ['discontinuities', '/restarts.m3u8', 1],
    ['discontinuities, fractions of a second', '/restarts.m3u8', 0.9],
  ])('%s: %s, %d s too much each', async (_name, playlist, longer) => {
    const { file } = await render(service, convert(`${track}${playlist}`, { longer }));
    const { tracks } = await inspect(file);
    const seconds = playlist.includes('restarts') ? 96 : 24;
    for (const { duration } of tracks) expect(Math.abs(duration - seconds)).toBeLessThan(0.5);
  });
});

describe('a web page in place of a playlist', () => {
  test.each([
    ['a media playlist', 'index.m3u8', { html: 1 }],
    ['a variant of a master playlist', 'master.m3u8', { 'variant.html': 1 }],
  ])('is refused like one in place of media: %s', async (_name, name, faults) => {
    const path = name.startsWith('master') ? `/hls/coral-24/${name}` : `${track}/${name}`;
    const event = await run(service, convert(path, faults));
    expect(event).toMatchObject({
      status: 'failed',
      error_code: 'source_refused',
      input: 0,
      error: expect.stringMatching(/^Input 1: .* web page instead of media\. Request new source links/),
    });
  });
});

// The first failure arrives after 2 s. Six in a row, which would end the download earlier, take at least 15 s.
test('a timeout reports why the last attempt failed', async () => {
  const job = convert(`${track}/index.m3u8`, { 'segment.only': 3, 'segment.status': 503, 'segment.latency': 2_000 });
  const event = await run(service, { ...job, timeout: 8_000 });
  expect(event).toMatchObject({
    status: 'failed',
    error_code: 'download_timeout',
    error: expect.stringMatching(
      /^Input 1 .*timeout of 8 s\. The last attempt failed: Segment 3 of 6 of input 1: .* 503\./,
    ),
  });
});
