/** @module-tag long */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import type { EngineInput, ProcessTask } from '../tasks/task.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { audioOffsets, endOf, largestGap, startsOf, stepsOf, trackOf } from '../testing/packet-times.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { type PacketTrack, readPackets } from '../testing/read-packets.ts';
import { type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    ...(['second.ts', 'second-v.ts', 'second-a.ts', 'second.mp4', 'second-v.mp4', 'second-a.mp4'] as const),
    ...(['v.ts', 'later-v.ts', 'a.ts', 'eight-a.ts', 'long-a.ts', 'long-audio.mp4'] as const),
  );
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const frame = 1 / 25;
/** Duration of an AAC packet in seconds. */
const packet = 1024 / 44_100;

/** A file of a playlist, its declared duration in seconds, and its section number. */
type Part = readonly [name: MediaName, duration: number, section: number];

function playlist(parts: readonly Part[]): EngineInput {
  const files = parts.map(([name, duration, section]) => ({ path: media.file(name), duration, section }));
  const [first = { path: '' }, ...followedBy] = files;
  return { ...first, jobInput: 0, followedBy };
}

/** Returns parts that each begin a section. */
function sections(name: MediaName, duration: number, count: number): Part[] {
  return Array.from({ length: count }, (_, section) => [name, duration, section]);
}

async function process(
  playlists: readonly (readonly Part[])[],
  ext: OutputContainer,
  operation: Partial<ProcessTask['operation']> = {},
): Promise<string> {
  return (await processAndVerify(engine, media, { inputs: playlists.map(playlist), ext, ...operation })).path;
}

/** Expects video and audio to play the given number of seconds without a gap. */
function expectSeamless(tracks: readonly PacketTrack[], seconds: number): void {
  const [video, audio] = [trackOf(tracks, 'video'), trackOf(tracks, 'audio')];
  expect(Math.abs(Math.max(endOf(video), endOf(audio)) - seconds), 'the duration').toBeLessThan(0.11);
  expect(endOf(video) - (startsOf(video)[0] ?? 0)).toBeCloseTo(seconds, 2);
  expect(largestGap(video)).toBeLessThan(1.5 * frame);
  expect(largestGap(audio)).toBeLessThan(2 * packet);
  expect(Math.min(...stepsOf(audio))).toBeGreaterThan(0.45 * packet);
}

describe('30 one-second parts', () => {
  const whole = (name: MediaName) => [sections(name, 1, 30)];
  const apart = (ext: 'ts' | 'mp4') => [sections(`second-v.${ext}`, 1, 30), sections(`second-a.${ext}`, 1, 30)];
  const cases = [
    ['MPEG-TS', whole('second.ts')],
    ['fragmented MP4', whole('second.mp4')],
    ['separate MPEG-TS', apart('ts')],
    ['separate fragmented MP4', apart('mp4')],
  ] as const;
  const copies = cases.flatMap(([what, inputs]) => (['mp4', 'ts'] as const).map((ext) => [what, ext, inputs] as const));

  it.each(copies)('play 30 seconds in sync: %s as %s', async (_what, ext, inputs) => {
    const tracks = await readPackets(await process(inputs, ext));
    expectSeamless(tracks, 30);
    const one = inputs.map((parts) => parts.slice(0, 1));
    const part = await readPackets(await process(one, ext));
    const [offset = 0] = audioOffsets(part, part);
    const offsets = audioOffsets(tracks, part);
    expect(offsets).toHaveLength(30);
    for (const own of offsets) expect(own).toBeCloseTo(offset, 2);
  });

  it.each(cases)('play 30 seconds in sync when encoded: %s', async (_what, inputs) => {
    expectSeamless(await readPackets(await process(inputs, 'mp4', { copyStreams: false })), 30);
  });

  it.each(cases)('play 30 seconds, sample-accurate when encoded: %s', async (_what, inputs) => {
    const path = await process(inputs, 'wav', { type: 'extract_audio', copyStreams: false });
    const samples = samplesOf(path);
    expect(samples.length / 44_100).toBeCloseTo(30, 0);
    const phases = Array.from({ length: 30 }, (_, part) => phaseAt(samples, 44_100 * (part + 0.4)));
    const [first = 0] = phases;
    for (const phase of phases) expect(Math.abs(phase - first), 'the phase of the tone').toBeLessThan(0.05);
  });

  it('play without a gap if they are audio only in fragmented MP4, which states its priming', async () => {
    const [audio] = await readPackets(await process(whole('second-a.mp4'), 'm4a'));
    if (audio === undefined) throw new Error('there is no audio');
    expect(endOf(audio)).toBeCloseTo(30, 1);
    expect(largestGap(audio)).toBeLessThan(2 * packet);
  });

  it('keep all packets if they are audio only in MPEG-TS, where everything counts as content', async () => {
    const [audio] = await readPackets(await process(whole('second-a.ts'), 'm4a'));
    expect(audio?.packets).toHaveLength(30 * 46);
  });
});

it('audio that plays much longer than its video is treated as content', async () => {
  const tracks = await readPackets(await process([sections('long-audio.mp4', 4, 3)], 'mp4'));
  const keys = trackOf(tracks, 'video').packets.filter(({ key }) => key);
  expect(keys.map(({ time }) => Math.round(time))).toEqual([0, 4, 8]);
});

describe('separate video and audio in different numbers of files', () => {
  const inFour = sections('v.ts', 4, 4);

  it.each([
    [
      'audio has a file less in a section',
      [
        ['v.ts', 4, 0],
        ['later-v.ts', 4, 0],
        ['v.ts', 4, 1],
      ],
      [
        ['eight-a.ts', 8, 0],
        ['a.ts', 4, 1],
      ],
    ],
    ['audio has no sections', inFour, [['long-a.ts', 16, 0]]],
    [
      'audio has half of the sections',
      inFour,
      [
        ['eight-a.ts', 8, 0],
        ['eight-a.ts', 8, 1],
      ],
    ],
  ] satisfies [string, Part[], Part[]][])('play in sync: %s', async (_what, video, audio) => {
    const tracks = await readPackets(await process([video, audio], 'mp4'));
    expectSeamless(
      tracks,
      video.reduce((sum, [, duration]) => sum + duration, 0),
    );
  });

  it('play in sync when encoded', async () => {
    const video: Part[] = [
      ['v.ts', 4, 0],
      ['later-v.ts', 4, 0],
      ['v.ts', 4, 1],
    ];
    const audio: Part[] = [
      ['eight-a.ts', 8, 0],
      ['a.ts', 4, 1],
    ];
    expectSeamless(await readPackets(await process([video, audio], 'mp4', { copyStreams: false })), 12);
  });

  it('stay in sync when clocks restart without a declared discontinuity', async () => {
    const undeclared = (name: MediaName): Part[] => Array.from({ length: 20 }, () => [name, 1, 0]);
    const tracks = await readPackets(await process([undeclared('second-v.ts'), undeclared('second-a.ts')], 'mp4'));
    expectSeamless(tracks, 20);
  });

  it('have silence in sections without audio', async () => {
    const audio: Part[] = [
      ['a.ts', 4, 0],
      ['a.ts', 4, 2],
    ];
    const tracks = await readPackets(await process([sections('v.ts', 4, 3), audio], 'mp4'));
    const starts = startsOf(trackOf(tracks, 'audio'));
    expect(largestGap(trackOf(tracks, 'audio'))).toBeCloseTo(4, 1);
    expect(starts.at(-1)).toBeCloseTo(12, 1);
  });
});

/** Returns the first channel of a WAV file. */
function samplesOf(path: string): Int16Array {
  const file = readFileSync(path);
  const begin = file.indexOf('data') + 8;
  const channels = file.readUInt16LE(22);
  const count = Math.floor((file.length - begin) / 2 / channels);
  return Int16Array.from({ length: count }, (_, at) => file.readInt16LE(begin + 2 * channels * at));
}

/** Returns the phase of a 440 Hz tone, in turns, over a fifth of a second. */
function phaseAt(samples: Int16Array, sample: number): number {
  const begin = Math.round(sample);
  let [real, imaginary] = [0, 0];
  for (let at = begin; at < begin + 8820; at += 1) {
    const angle = (2 * Math.PI * 440 * at) / 44_100;
    real += (samples[at] ?? 0) * Math.cos(angle);
    imaginary += (samples[at] ?? 0) * Math.sin(angle);
  }
  return Math.atan2(imaginary, real) / (2 * Math.PI);
}
