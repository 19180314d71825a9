import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstRows } from '../../../../test/support/first-rows.ts';
import type { Clip } from '../../../contract/clip.ts';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { containerFormats } from '../formats/container-formats.ts';
import { changeMp4, setEdits } from '../testing/change-mp4.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { makeFile } from '../testing/make-file.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { type MediaDirectory, makeTestDirectory } from '../testing/test-media.ts';

/** Duration of the test files in seconds. No packet of any codec ends there. */
const noiseSeconds = 2.0105;
const sampleRate = 48_000;

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = makeTestDirectory();
  const sound = [
    ['anoisesrc', `color=brown:amplitude=0.9:seed=7:r=${sampleRate}:d=${noiseSeconds}`],
    ['aformat', 'channel_layouts=mono'],
  ] as const;
  for (const ext of ['aac', 'm4a', 'mp3', 'opus', 'webm'] as const) {
    const container = containerFormats[ext];
    // At low bit rates, packets of MP3 depend on several earlier ones.
    const audio = container.encoders.audio.map((each) => ({ ...each, bitRatePerChannel: 40_000 }));
    await makeFile(media.file(`noise.${ext}`), { container, audio, sampleRate, layout: 'mono', sound });
  }
  const { m4a, mp4, opus } = containerFormats;
  const indexLast = { ...m4a, muxerOptions: {} };
  await makeFile(media.file('edited.m4a'), {
    container: indexLast,
    audio: m4a.encoders.audio,
    sampleRate,
    layout: 'mono',
    sound,
  });
  await makeFile(media.file('opus.mp4'), {
    container: mp4,
    audio: opus.encoders.audio,
    sampleRate,
    layout: 'mono',
    sound,
  });
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Copies a file, and returns what a decoder of the copy plays. */
async function hearCopy(name: string, ext: OutputContainer, clip?: Clip): Promise<Float64Array> {
  const { path } = await processAndVerify(engine, media, { inputs: [name], ext, ...(clip && { clip }) });
  copyFileSync(path, media.file(`copy.${ext}`));
  return await hear(`copy.${ext}`);
}

/** Returns what a decoder of a file plays: samples from -1 to 1. */
async function hear(name: string): Promise<Float64Array> {
  const decoded = await processAndVerify(engine, media, { inputs: [name], ext: 'wav', copyStreams: false });
  const wav = readFileSync(decoded.path);
  const samples = wav.subarray(wav.indexOf('data') + 8);
  return Float64Array.from({ length: samples.length >> 1 }, (_, at) => samples.readInt16LE(2 * at) / 32_768);
}

/**
 * Returns how much a sound is like another one from a sample on, from 0 to 1. Containers round times to milliseconds, so
 * that it may begin a little earlier or later.
 */
function likeness(sound: Float64Array, other: Float64Array, start: number): number {
  const product = (one: Float64Array, two: Float64Array) =>
    one.reduce((sum, each, at) => sum + each * (two[at] ?? 0), 0);
  const best = Array.from({ length: 101 }, (_, lag) => {
    const part = other.subarray(start - 50 + lag, start - 50 + lag + sound.length);
    return product(sound, part) / Math.sqrt(product(sound, sound) * product(part, part));
  });
  return Math.max(...best);
}

const clipSources: readonly (readonly [source: string, least: number])[] = [
  ['aac', 0.99],
  ['mp3', 0.99],
  // Opus approaches the sound of its source.
  ['opus', 0.9],
  ['webm', 0.9],
  ['m4a', 0.99],
];

describe.each(firstRows(2, clipSources))('the sound of a copied clip', ({ rows, options }) => {
  it.each(rows)('is that of its source from the first sample: %s in mp4', options, async (source, least) => {
    const clip = { start: 1.003, end: 1.6 };
    const [sound, whole] = [await hearCopy(`noise.${source}`, 'mp4', clip), await hear(`noise.${source}`)];
    expect(likeness(sound.subarray(0, sampleRate / 100), whole, clip.start * sampleRate)).toBeGreaterThan(least);
  });
});

const copies: readonly (readonly [name: string, ext: OutputContainer])[] = [
  ['noise.mp3', 'mp4'],
  ['noise.webm', 'mp4'],
  ['opus.mp4', 'mkv'],
  ['noise.mp3', 'mov'],
  ['noise.mp3', 'mkv'],
  ['noise.webm', 'mkv'],
  ['noise.opus', 'mp4'],
  ['noise.m4a', 'mp4'],
  ['noise.m4a', 'mkv'],
  ['opus.mp4', 'mp4'],
  ['opus.mp4', 'opus'],
];

describe.each(firstRows(3, copies))('the sound of a copy', ({ rows, options }) => {
  it.each(rows)('ends where that of its source ends: %s in %s', options, async (name, ext) => {
    const sound = await hearCopy(name, ext);
    // WebM rounds times to milliseconds.
    expect(Math.abs(sound.length / sampleRate - noiseSeconds)).toBeLessThan(0.0015);
  });
});

it.each<OutputContainer>(['mov', 'mkv'])('a copy ends where its edit list ends within a packet: %s', async (ext) => {
  const file = changeMp4(readFileSync(media.file('edited.m4a')), setEdits(0, [[1500, 1024]]));
  writeFileSync(media.file('edited.m4a'), file);
  const sound = await hearCopy('edited.m4a', ext);
  expect(Math.abs(sound.length / sampleRate - 1.5)).toBeLessThan(0.0015);
});
