/** @module-tag long */

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, makeMedia, mediaSeconds } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    ...(['av.ts', 'far.ts', 'wrap.ts', 'late.mp4', 'late.mkv', 'late-audio.mp4', 'long-audio.mp4'] as const),
    ...(['forty-v.ts', 'late-a.ts', 'late-8-a.ts', 'v.mp4', 'late-a.m4a'] as const),
  );
  engine = createInProcessEngine();
  const [near, far] = ['av.ts', 'far.ts'].map((name) => readFileSync(media.file(name)));
  if (near === undefined || far === undefined) throw new Error('there is no media');
  writeFileSync(media.file('ahead.ts'), Buffer.concat([near, far]));
  writeFileSync(media.file('back.ts'), Buffer.concat([far, near, near]));
  writeFileSync(media.file('again.ts'), Buffer.concat([near, near, near]));
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Returns when video and audio begin and end, in seconds from the first video frame. */
async function convert(name: string, ext: OutputContainer, copyStreams: boolean) {
  const { path } = await processAndVerify(engine, media, { inputs: [name], ext, copyStreams });
  const { streams } = await describeMedia(path);
  const zero = streams[0]?.first ?? Number.NaN;
  const times = streams.map(({ first = Number.NaN, end = Number.NaN }) => [first - zero, end - zero]);
  return { zero, video: times[0], audio: times[1] };
}

/**
 * Compares times with a tolerance of a few audio frames. Encoders add some frames before the audio, and pad the last
 * frame of each part.
 */
function expectTimes(actual: readonly number[] = [], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((seconds, at) => {
    expect(Math.abs(seconds - (expected[at] ?? 0)), `${actual} for ${expected}`).toBeLessThan(0.15);
  });
}

describe.each(['mp4', 'ts'] as const)('input clocks in %s', (ext) => {
  it.each([
    ['begins far from zero', 'far.ts', [0, mediaSeconds], [0, mediaSeconds]],
    ['wraps', 'wrap.ts', [0, mediaSeconds], [0, mediaSeconds]],
    ['jumps ahead', 'ahead.ts', [0, 2 * mediaSeconds], [0, 2 * mediaSeconds]],
    ['jumps back, twice', 'back.ts', [0, 3 * mediaSeconds], [0, 3 * mediaSeconds]],
    ['restarts twice', 'again.ts', [0, 3 * mediaSeconds], [0, 3 * mediaSeconds]],
    ['begins late', 'late.mp4', [0, 4], [0.5, 4.5]],
    ['begins late, in another container', 'late.mkv', [0, 4], [0.5, 4.5]],
    ['has late audio', 'late-audio.mp4', [0, 4], [1.5, 4]],
    ['has audio that outlasts the video', 'long-audio.mp4', [0, 2], [0, 4]],
  ])('are corrected when a clock %s', async (_what, name, video, audio) => {
    const actual = await convert(name, ext, true);
    // MPEG-TS leaves a margin before the first frame.
    expect(actual.zero).toBeLessThan(ext === 'ts' ? 2 : 0.1);
    expectTimes(actual.video, video);
    expectTimes(actual.audio, audio);
  });
});

it.each([
  ['wrap.ts', [0, 4], [0, 4]],
  ['ahead.ts', [0, 8], [0, 8]],
  ['late.mkv', [0, 4], [0.5, 4.5]],
  ['long-audio.mp4', [0, 2], [0, 4]],
])('the clock of %s is corrected when encoding', async (name, video, audio) => {
  const actual = await convert(name, 'mkv', false);
  expectTimes(actual.video, video);
  expectTimes(actual.audio, audio);
});

it.each<[OutputContainer, boolean]>([
  ['mp4', true],
  ['mkv', true],
  ['ts', true],
  ['mp4', false],
])('renditions of one playlist keep their distance in %s, copied: %j', async (ext, copyStreams) => {
  const rendition = (name: string, duration: number, jobInput: number) => {
    return { path: media.file(name), duration, jobInput, followedBy: [] };
  };
  const audioStart = async (jobInput: number) => {
    const inputs = [rendition('forty-v.ts', 40, 0), rendition('late-a.ts', 4, jobInput)];
    const { path } = await processAndVerify(engine, media, { inputs, ext, copyStreams, type: 'join_streams' });
    const { streams } = await describeMedia(path);
    return (streams[1]?.first ?? 0) - (streams[0]?.first ?? 0);
  };
  // At 10 frames a second, the first frame is displayed 0.2 s after its decoding begins.
  expect(Math.abs((await audioStart(0)) - 14.8)).toBeLessThan(0.15);
  // Two inputs of a job that begin so far apart do not share a clock.
  expect(Math.abs(await audioStart(1))).toBeLessThan(0.15);
});

describe.each<[OutputContainer, boolean]>([
  ['mp4', true],
  ['mkv', true],
  ['mkv', false],
])('inputs from different links in %s, copied: %j', (ext, copyStreams) => {
  it.each([
    ['begin together in MPEG-TS, whose clocks have no origin', 'forty-v.ts', 'late-8-a.ts', 0],
    ['keep their distance in MP4, whose clocks begin at zero', 'v.mp4', 'late-a.m4a', 1.5],
  ])('%s', async (_what, video, audio, distance) => {
    const { path } = await processAndVerify(engine, media, {
      ...{ inputs: [video, audio], ext, copyStreams, type: 'join_streams' },
    });
    const { streams } = await describeMedia(path);
    expect(Math.abs((streams[1]?.first ?? 0) - (streams[0]?.first ?? 0) - distance)).toBeLessThan(0.15);
  });
});
