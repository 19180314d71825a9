import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { frameSize, type PacketTimes, packetTimes } from '../support/media.ts';

const service = inject('serviceUrl');

const input = (path: string) => ({ url: labFile(path).url, ext: 'm3u8' });

/** Duration in seconds of a frame of the lab's titles. Each of the four titles plays four seconds. */
const frame = 1 / 25;
const seams = [4, 8, 12];

function spanOf({ packets }: PacketTimes): number {
  return Math.max(...packets.map(({ end }) => end)) - Math.min(...packets.map(({ time }) => time));
}

/** Returns the longest time between the starts of two consecutive packets. */
function largestGap({ packets }: PacketTimes): number {
  const times = packets.map(({ time }) => time).toSorted((a, b) => a - b);
  return Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? 0)));
}

/** Returns the start in seconds of the packet nearest to a time. */
function nearest({ packets }: PacketTimes, to: number): number {
  return packets.map(({ time }) => time).reduce((a, b) => (Math.abs(b - to) < Math.abs(a - to) ? b : a));
}

function expectWhole(tracks: readonly PacketTimes[], kinds: readonly string[]): void {
  expect(tracks.map(({ kind }) => kind).sort()).toEqual(kinds);
  for (const track of tracks) {
    expect(Math.abs(spanOf(track) - 16), `${track.kind} plays ${spanOf(track)} s`).toBeLessThan(3 * frame);
    expect(largestGap(track), `the largest gap of the ${track.kind}`).toBeLessThan(2.5 * frame);
    for (const seam of seams) expect(Math.abs(nearest(track, seam) - seam)).toBeLessThan(2 * frame);
  }
}

describe('four titles whose clocks restart', { tags: ['long'] }, () => {
  test.each([
    ['MPEG-TS', '/hls/amber-4/180/restarts.m3u8', 'mp4'],
    ['MPEG-TS', '/hls/amber-4/180/restarts.m3u8', 'mkv'],
    ['MPEG-TS', '/hls/amber-4/180/restarts.m3u8', 'ts'],
    ['fragmented MP4', '/hls/amber-4/180/fmp4-restarts.m3u8', 'mp4'],
    ['fragmented MP4', '/hls/amber-4/180/fmp4-restarts.m3u8', 'ts'],
    ['MPEG-TS with separate audio', '/hls/amber-4/master-audio-restarts.m3u8', 'mp4'],
    ['fragmented MP4 with separate audio', '/hls/amber-4/master-audio-fmp4-restarts.m3u8', 'mp4'],
  ])('play in sequence from %s: %s as %s', async (_name, path, ext) => {
    const { file } = await render(service, describeJob('convert_format', [input(path)], ext));
    expectWhole(await packetTimes(file), ['audio', 'video']);
  });

  test.each([
    ['MPEG-TS', '/hls/amber-4/180/restarts.m3u8', 'm4a'],
    ['separate audio', '/hls/amber-4/master-audio-restarts.m3u8', 'm4a'],
  ])('play in sequence as audio only from %s: %s as %s', async (_name, path, ext) => {
    const { file } = await render(service, describeJob('extract_audio', [input(path)], ext));
    expectWhole(await packetTimes(file), ['audio']);
  });

  test('play in sequence when encoded', async () => {
    const job = describeJob('convert_format', [input('/hls/amber-4/180/restarts.m3u8')], 'mp4');
    const { file } = await render(service, { ...job, operation: { ...job.operation, copyStreams: false } });
    expectWhole(await packetTimes(file), ['audio', 'video']);
  });
});

describe('video in more parts than its separate audio', () => {
  test('stays in sync with it', async () => {
    const path = '/hls/amber-8/master-audio-fmp4-restarts-remapped.m3u8';
    const { file } = await render(service, describeJob('convert_format', [input(path)], 'mp4'));
    const tracks = await packetTimes(file);
    expect(tracks.map(({ kind }) => kind).sort()).toEqual(['audio', 'video']);
    for (const track of tracks) {
      expect(Math.abs(spanOf(track) - 32)).toBeLessThan(3 * frame);
      expect(largestGap(track)).toBeLessThan(1.5 * frame);
    }
  });
});

test('thirty parts play for the declared duration', { tags: ['long'] }, async () => {
  const { file } = await render(
    service,
    describeJob('convert_format', [input('/hls/amber-4/180/many-restarts.m3u8')], 'mp4'),
  );
  for (const track of await packetTimes(file)) {
    expect(Math.abs(spanOf(track) - 120), `${track.kind} plays ${spanOf(track)} s`).toBeLessThan(0.11);
    expect(largestGap(track)).toBeLessThan(1.5 * frame);
  }
});

describe('a part with another frame size', () => {
  const job = describeJob('convert_format', [input('/hls/amber-8/180/resized.m3u8')], 'mp4');

  test('cannot be copied, and the error suggests a solution', async () => {
    const event = await run(service, job);
    expect(event).toMatchObject({ status: 'failed', error: expect.stringMatching(/part 2.*256x144.*320x180/i) });
    expect(event).toMatchObject({ error: expect.stringContaining('copyStreams to false') });
  });

  test('is scaled when encoded', { tags: ['long'] }, async () => {
    const { file } = await render(service, {
      ...describeJob('convert_format', job.inputs, 'mp4'),
      operation: { type: 'convert_format', copyStreams: false },
    });
    expect(await frameSize(file)).toBe('320x180');
    for (const track of await packetTimes(file)) expect(Math.abs(spanOf(track) - 16)).toBeLessThan(3 * frame);
  });
});

describe('a part that players rotate by 90°', () => {
  const job = describeJob('convert_format', [input('/hls/amber-4/180/fmp4-turned.m3u8')], 'mp4');

  test('cannot be copied after an unrotated one, and the error suggests a solution', async () => {
    expect(await run(service, job)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/part 2.*its video has another rotation.*copyStreams to false/i),
      error_code: 'incompatible_codecs',
      input: 0,
    });
  });

  test('is rotated and padded with black bars when encoded', { tags: ['long'] }, async () => {
    const { file } = await render(service, {
      ...describeJob('convert_format', job.inputs, 'mp4'),
      operation: { type: 'convert_format', copyStreams: false },
    });
    expect(await frameSize(file)).toBe('320x180');
    for (const track of await packetTimes(file)) expect(Math.abs(spanOf(track) - 8)).toBeLessThan(3 * frame);
  });
});
