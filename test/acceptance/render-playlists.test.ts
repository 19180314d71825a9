import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { frameSize, packetTimes } from '../support/media.ts';

const service = inject('serviceUrl');

const job = (name: string, ext = 'mp4') => {
  return describeJob('convert_format', [{ url: labFile(`/playlists/${name}`).url, ext: 'm3u8' }], ext);
};

/** Renders a playlist and returns when its video and its audio begin and end, in seconds, and its notes. */
async function timesOf(name: string, ext?: string) {
  const { event, file } = await render(service, job(name, ext));
  const times = (await packetTimes(file)).map(({ kind, packets }) => {
    const [first, end] = [Math.min(...packets.map(({ time }) => time)), Math.max(...packets.map((one) => one.end))];
    return [kind, [Math.round(first * 2) / 2, Math.round(end * 2) / 2]] as const;
  });
  return { ...Object.fromEntries(times), notes: event.output?.notes.map(({ code }) => code) ?? [] };
}

const whole = { video: [0, 24], audio: [0, 24], notes: [] };

describe('a playlist is rendered as a whole', () => {
  test.each([
    ['with variables by name, by import and from the query', 'variables.m3u8'],
    ['of type VOD without an end', 'vod.m3u8'],
    ['with a key after the initialization section', 'key-after-map.m3u8'],
    ['of segments behind pictures and pages', 'disguised.m3u8'],
  ])('%s', async (_what, name) => {
    expect(await timesOf(name)).toEqual(whole);
  });

  test('without type and end, once it has not changed for three target durations', { tags: ['long'] }, async () => {
    expect(await timesOf('settled.m3u8')).toEqual(whole);
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
    for (const { packets } of await packetTimes(file)) {
      const missing = packets.filter(({ time }) => time > 8.1 && time < 11.9);
      expect([missing.length, Math.round(Math.max(...packets.map(({ end }) => end)))]).toEqual([0, 24]);
    }
  });
});
