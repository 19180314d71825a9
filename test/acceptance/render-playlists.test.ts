import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { contentsOf, frameSize, type PacketTimes, packetTimes } from '../support/media.ts';

const service = inject('serviceUrl');

const convert = (path: string, ext = 'mp4') => {
  return describeJob('convert_format', [{ url: labFile(path).url, ext: 'm3u8' }], ext);
};
const job = (name: string, ext?: string) => convert(`/playlists/${name}`, ext);

const tenths = (seconds: number) => Math.round(seconds * 10) / 10;

/** Returns when packets begin and end, and the time of each packet that a gap follows, in seconds. */
function spanOf(packets: PacketTimes['packets']) {
  const inOrder = packets.toSorted((one, other) => one.time - other.time);
  const gaps = inOrder.filter(({ time }, at) => (inOrder[at + 1]?.time ?? time) - time > 0.1);
  return [inOrder[0]?.time ?? Number.NaN, inOrder.at(-1)?.end ?? Number.NaN, ...gaps.map(({ time }) => time)].map(
    tenths,
  );
}

/** Renders a playlist and returns when its video and its audio begin and end, without gaps, and its notes. */
async function timesOf(name: string, ext?: string) {
  const { event, file } = await render(service, job(name, ext));
  const spans = (await packetTimes(file)).map(({ kind, packets }) => [kind, spanOf(packets)] as const);
  return { file, ...Object.fromEntries(spans), notes: event.output?.notes.map(({ code }) => code) ?? [] };
}

const whole = { video: [0, 24], audio: [0, 24], notes: [] };

describe('a playlist is rendered as a whole', () => {
  test.each([
    ['with variables by name, by import and from the query', 'variables.m3u8', 'index.m3u8'],
    ['of type VOD without an end', 'vod.m3u8', 'index.m3u8'],
    ['with a key after the initialization section', 'key-after-map.m3u8', 'fmp4.m3u8'],
    ['of segments behind pictures and pages', 'disguised.m3u8', 'index.m3u8'],
  ])('%s', async (_what, name, ordinary) => {
    const [times, { file }] = await Promise.all([
      timesOf(name),
      render(service, convert(`/hls/coral-24/180/${ordinary}`)),
    ]);
    expect(times).toMatchObject(whole);
    expect(await contentsOf(times.file)).toEqual(await contentsOf(file));
  });

  test('without type and end, once it has not changed for three target durations', { tags: ['long'] }, async () => {
    expect(await timesOf('settled.m3u8')).toMatchObject(whole);
  });
});

test('a playlist whose variable has no value is refused with its name', async () => {
  expect(await run(service, job('variables-180.m3u8'))).toMatchObject({
    status: 'failed',
    error_code: 'source_unsupported',
    error: expect.stringContaining('the variable folder without a value'),
    input: 0,
  });
});

test('a change of packet IDs without a discontinuity is refused with its time', async () => {
  expect(await run(service, job('moved.m3u8'))).toMatchObject({
    status: 'failed',
    error_code: 'source_unsupported',
    error: expect.stringMatching(/12\.\d s/),
    input: 0,
  });
});

describe('separate audio keeps its place', () => {
  test.each([
    ['in packed AAC that begins 4 s after the video', 'packed.m3u8', [0, 24], [4, 24]],
    ['in packed AAC, on a clock that wraps around before it begins', 'wraps-2.m3u8', [0, 24], [4, 24]],
    ['in packed AAC, on a clock that wraps around within it', 'wraps-10.m3u8', [0, 24], [4, 24]],
    ['if it begins 12 s after the video', 'late-audio.m3u8', [0, 24], [12, 24]],
    ['in fragmented MP4, if it begins 12 s after the video', 'late-fragments.m3u8', [0, 24], [12, 24]],
    ['if the video begins and ends 4 s after it', 'out-of-step.m3u8', [4, 24], [0, 20]],
  ])('%s', async (_what, name, video, audio) => {
    for (const ext of ['mp4', 'mkv']) expect(await timesOf(name, ext)).toMatchObject({ video, audio });
  });
});

describe('the best variant', () => {
  test.each([
    ['has the largest picture, not the highest bandwidth', 'size'],
    ['has the highest frame rate of those with the largest picture', 'rate'],
    ['has a codec that the result can store', 'codec'],
    ['has the highest bandwidth of those that are alike', 'bandwidth'],
    ['is in SDR, even if HDR has a larger picture', 'range'],
    ['is the largest in HDR if there is nothing else', 'hdr'],
    ['has a picture', 'picture'],
  ])('%s', async (_what, name) => {
    const { file, event } = await render(service, job(`ranked-by-${name}.m3u8`));
    expect([await frameSize(file), event.output?.notes]).toEqual(['640x360', []]);
  });

  test('is the first of equal ones', async () => {
    const { file } = await render(service, job('ranked-equal.m3u8'));
    expect(await frameSize(file)).toBe('640x360');
  });

  test('is left out if a segment of it is missing and another is whole, with a note', async () => {
    const { file, event } = await render(service, job('gap.m3u8'));
    expect(event.output?.notes).toMatchObject([{ code: 'variant_with_gaps', input: 0 }]);
    expect(await frameSize(file)).toBe('320x180');
  });

  test('is used with its gaps, and a note, if no variant is whole', async () => {
    const { file, event } = await render(service, job('gaps.m3u8'));
    const message = expect.stringContaining('1 segment of input 1 (4.0 s) is missing');
    expect(event.output?.notes).toMatchObject([{ code: 'segments_missing', message, input: 0 }]);
    expect(await frameSize(file)).toBe('640x360');
    const spans = (await packetTimes(file)).map(({ packets }) => spanOf(packets));
    expect(spans).toEqual([
      [0, 24, 8],
      [0, 24, 8],
    ]);
  });
});
