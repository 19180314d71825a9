/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../engine.ts';
import type { ProcessReport } from '../tasks/report.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { callMediaLibrary, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import { verifyResult } from '../verification/verify-result.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    ...(['late-audio.mp4', 'gap.ts', 'a.mp3', 'one-packet.m4a', 'v.mp4', 'louder.mkv', 'peaks.wav'] as const),
    ...(['tone.mkv', 'mono-tone.wav', 'silent.mkv'] as const),
  );
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const near = (seconds: number) => expect.closeTo(seconds, 0);

it.each<[MediaName[], [first: number, end: number][]]>([
  [
    ['late-audio.mp4', 'a.mp3'],
    [
      [1.5, 4],
      [0, 4],
    ],
  ],
  [
    ['gap.ts', 'one-packet.m4a'],
    [
      [0, 9],
      [0, 0],
    ],
  ],
])('a mix of %j reports when each source plays, and is refused if one plays at another time', async (names, places) => {
  const path = media.file('result.mkv');
  const { signal } = new AbortController();
  const report = await engine.process(
    {
      directory: media.path,
      inputs: names.map((name) => ({ path: media.file(name) })),
      output: { path, ext: 'mkv' },
      operation: { type: 'mix_audio_and_video', copyStreams: true },
      maxOutputBytes: 10_000_000,
    },
    { signal },
  );
  const probe = await engine.probe({ directory: media.path, path, ext: 'mkv' }, { signal });
  verifyResult(report, probe);
  const mixes = report.streams.flatMap(({ origin }) => (origin?.action === 'mix' ? origin.sources : []));
  expect(mixes.map(({ mixed }) => mixed)).toEqual(
    places.map(([first, end]) => ({ first: near(first), end: near(end) })),
  );
  for (const place of mixes.keys())
    expect(() => verifyResult(moved(report, place), probe)).toThrow(/plays input \d from/);
});

describe('the volume of a mix', () => {
  const mix = (inputs: readonly MediaName[], volumes?: readonly number[], copyStreams = true) =>
    processAndVerify(engine, media, {
      ...{ inputs, ext: 'mkv', type: 'mix_audio_and_video', copyStreams },
      ...(volumes && { volumes }),
    });

  // The peak of a tone is its level in each channel. The loudness of mono doubles, because it plays on both sides.
  it.each<[MediaName, MediaName, number[] | undefined, decibels: number]>([
    ['silent.mkv', 'tone.mkv', undefined, 0],
    ['silent.mkv', 'mono-tone.wav', undefined, 0],
    ['silent.mkv', 'tone.mkv', [1, 0.5], -6],
    ['silent.mkv', 'mono-tone.wav', [0, 2], 6],
    ['v.mp4', 'mono-tone.wav', [1, 0.5], -6],
  ])('of %s and %s with the volumes %j changes the tone by %d dB', async (film, tone, volumes, decibels) => {
    const { path } = await mix([film, tone], volumes);
    const before = await callMediaLibrary('measureLoudness', media.file(tone));
    const after = await callMediaLibrary('measureLoudness', path);
    expect(Math.abs(after.peak - before.peak - decibels)).toBeLessThan(0.3);
  });

  it('does not clip', async () => {
    const { path } = await mix(['louder.mkv', 'peaks.wav'], [4, 4]);
    expect((await callMediaLibrary('measureLoudness', path)).peak).toBeLessThan(0.5);
  });

  it('silences an input', async () => {
    const { path } = await mix(['louder.mkv', 'tone.mkv'], [1, 0]);
    const { peak } = await callMediaLibrary('measureLoudness', path);
    const before = await callMediaLibrary('measureLoudness', media.file('louder.mkv'));
    expect(Math.abs(peak - before.peak)).toBeLessThan(0.5);
  });
});

it.each([true, false])('replaces the audio of a video without any, with copyStreams %s', async (copyStreams) => {
  const results = [];
  for (const type of ['mix_audio_and_video', 'replace_audio_in_video'] as const) {
    const { report } = await processAndVerify(engine, media, {
      ...{ inputs: ['v.mp4', 'a.mp3'], ext: 'mp4', type, copyStreams },
    });
    results.push(report.streams.map(({ kind, codec, origin }) => `${origin?.action} ${kind} ${codec}`));
  }
  const audio = copyStreams ? 'copy audio mp3' : 'encode audio aac';
  expect(results[0]).toEqual([`${copyStreams ? 'copy' : 'encode'} video h264`, audio]);
  expect(results[0]).toEqual(results[1]);
});

/** Returns a report of a mix in which one source plays two seconds later. */
function moved(report: ProcessReport, place: number): ProcessReport {
  const streams = report.streams.map((stream) => {
    if (stream.origin?.action !== 'mix') return stream;
    const sources = stream.origin.sources.map((source, at) => {
      if (at !== place || source.mixed === undefined) return source;
      const { first, end } = source.mixed;
      return { ...source, mixed: { first: first + 2, end: end + 2 } };
    });
    return { ...stream, origin: { ...stream.origin, sources } };
  });
  return { ...report, streams };
}
