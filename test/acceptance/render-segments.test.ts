import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';

const service = inject('serviceUrl');

/** Titles of 24 seconds: six segments of four. */
const track = '/hls/coral-24/180';

const convert = (path: string, query: Record<string, string | number>) =>
  describeJob('convert_format', [{ url: labFile(path, query).url, ext: 'm3u8' }], 'mp4');

/** The third segment, as it is answered. */
const third = (instead: string) => ({ 'segment.only': 3, 'segment.instead': instead });

const named = 'Segment 3 of 6 of input 1';

describe('a segment in the middle of a playlist that is no whole segment fails the job, naming it', () => {
  test.each([
    ['nothing', 'empty', 'download_incomplete', true, /is empty/],
    ['JSON', 'json', 'source_refused', false, /answered with a JSON document .* Obtain fresh source links/],
    ['text', 'text', 'source_refused', false, /answered with text/],
    ['a page that claims to be media', 'page', 'source_refused', false, /answered with a web page/],
    ['tables of MPEG-TS alone', 'tables', 'input_incomplete', true, /holds no media, but its playlist declares 4\.0 s/],
    ['less than a third', 'third', 'input_incomplete', true, /holds [01]\.\d s of media, .* declares 4\.0 s/],
    ['the segment twice', 'twice', 'input_incomplete', true, /takes 8\.\d s, .* declares 4\.0 s/],
  ])('MPEG-TS: %s', async (_name, instead, error_code, retryable, reason) => {
    const event = await run(service, convert(`${track}/index.m3u8`, third(instead)));
    expect(event).toMatchObject({ status: 'failed', error_code, retryable, input: 0, output: null });
    expect(event).toMatchObject({ error: expect.stringMatching(reason) });
    expect(event).toMatchObject({ error: expect.stringContaining(named) });
  });

  test.each([
    ['nothing', 'empty', 'download_incomplete'],
    ['JSON', 'json', 'source_refused'],
    ['the segment twice', 'twice', 'input_incomplete'],
  ])('fragmented MP4: %s', async (_name, instead, error_code) => {
    const event = await run(service, convert(`${track}/fmp4.m3u8`, third(instead)));
    expect(event).toMatchObject({ status: 'failed', error_code, error: expect.stringContaining(named), input: 0 });
  });

  test.each([
    ['encrypted', `${track}/aes.m3u8`],
    ['before a discontinuity', `${track}/restarts.m3u8`],
    ['with sound apart', '/hls/coral-24/master-audio.m3u8'],
  ])('%s: less than a third', async (_name, path) => {
    const event = await run(service, convert(path, third(path.includes('aes') ? 'json' : 'third')));
    expect(event).toMatchObject({ status: 'failed', input: 0, error: expect.stringContaining('Segment 3 of') });
  });

  test('also when it is encoded', async () => {
    const operation = { type: 'convert_format', copyStreams: false };
    const event = await run(service, { ...convert(`${track}/index.m3u8`, third('third')), operation });
    expect(event).toMatchObject({ status: 'failed', error_code: 'input_incomplete' });
  });
});

describe('a playlist that declares more than its segments play is rendered: nothing is missing', () => {
  test.each([
    ['whole seconds', '/index.m3u8', 1],
    ['parts of a second', '/index.m3u8', 0.9],
    ['fragmented MP4', '/fmp4.m3u8', 1],
    ['discontinuities', '/restarts.m3u8', 1],
    ['discontinuities, parts of a second', '/restarts.m3u8', 0.9],
  ])('%s: %s, %d s too much each', async (_name, playlist, longer) => {
    const { file } = await render(service, convert(`${track}${playlist}`, { longer }));
    const { tracks } = await inspect(file);
    const seconds = playlist.includes('restarts') ? 96 : 24;
    for (const { duration } of tracks) expect(Math.abs(duration - seconds)).toBeLessThan(0.5);
  });
});

describe('a web page in place of a playlist', () => {
  test.each([
    ['the playlist', 'index.m3u8', { html: 1 }],
    ['one of a master', 'master.m3u8', { 'variant.html': 1 }],
  ])('%s: refused as in place of media', async (_name, name, faults) => {
    const path = name.startsWith('master') ? `/hls/coral-24/${name}` : `${track}/${name}`;
    const event = await run(service, convert(path, faults));
    expect(event).toMatchObject({
      status: 'failed',
      error_code: 'source_refused',
      input: 0,
      error: expect.stringMatching(/^Input 1: .* web page instead of media\. Obtain fresh source links/),
    });
  });
});

test('a timeout says why the last try failed', async () => {
  const job = convert(`${track}/index.m3u8`, { 'segment.only': 3, 'segment.status': 503 });
  const event = await run(service, { ...job, timeout: 1_500 });
  expect(event).toMatchObject({
    status: 'failed',
    error_code: 'download_timeout',
    error: expect.stringMatching(
      /^Input 1 .*timeout of 1\.5 s\. The last try failed: Segment 3 of 6 of input 1: .* 503\./,
    ),
  });
});
