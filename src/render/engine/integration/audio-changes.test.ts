import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { rateNames } from '../testing/media-names.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, makeMedia, mediaSeconds } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    ...(['a.aac', 'high-a.aac', 'mono-a.aac', 'a.ts', 'later-high-a.ts'] as const),
    ...(['a.mp3', 'a.ac3', ...rateNames] as const),
  );
  for (const [name, parts] of Object.entries(partsOf))
    writeFileSync(media.file(name), Buffer.concat(parts.map((part) => readFileSync(media.file(part)))));
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Amplitude below which samples are noise, which codecs leave in silence. */
const noise = 500;

/** Returns the tone of a 16-bit stereo WAV file in each half second, in Hz, by the number of times it changes its sign. */
function tonesOf(wav: Buffer): number[] {
  const data = wav.indexOf('data');
  const rate = wav.readUInt32LE(24);
  const samples = Array.from({ length: (wav.length - data - 8) >> 2 }, (_, at) => wav.readInt16LE(data + 8 + 4 * at));
  const half = rate / 2;
  return Array.from({ length: Math.floor(samples.length / half) }, (_, at) => {
    const signs = samples.slice(at * half, (at + 1) * half).filter((sample) => Math.abs(sample) > noise);
    return signs.filter((sample, next) => sample < 0 !== (signs[next - 1] ?? sample) < 0).length;
  });
}

/** Checks that the tone sounds all the time. At the end of each file, a frame is padded with silence. */
function expectTone(tones: readonly number[]): void {
  expect(tones.filter((tone) => Math.abs(tone - 440) > 3).length).toBeLessThanOrEqual(5);
  for (const tone of tones) expect(Math.abs(tone - 440)).toBeLessThan(60);
}

/** The files that each input of the tests consists of. */
const partsOf = {
  'rates.aac': ['high-a.aac', 'a.aac'],
  'channels.aac': ['a.aac', 'mono-a.aac'],
  'same.aac': ['a.aac', 'a.aac'],
  'rates.ts': ['a.ts', 'later-high-a.ts'],
  'rates.mp3': ['high-a.mp3', 'a.mp3'],
  'rates.ac3': ['high-a.ac3', 'a.ac3'],
  'rates.eac3': ['high-a.eac3', 'a.eac3'],
} as const;

/** Returns the duration of an input in seconds, by its parts. */
async function secondsOf(name: keyof typeof partsOf): Promise<number> {
  const parts = await Promise.all(partsOf[name].map((part) => describeMedia(media.file(part))));
  const spans = parts.map(({ streams: [audio] }) => [audio?.first ?? 0, audio?.end ?? 0] as const);
  // The clock of the transport stream continues in its second part.
  if (name === 'rates.ts') return (spans[1]?.[1] ?? 0) - (spans[0]?.[0] ?? 0);
  return spans.reduce((sum, [first, end]) => sum + end - first, 0);
}

const changing = ['rates.aac', 'rates.ts', 'channels.aac', 'rates.mp3', 'rates.ac3', 'rates.eac3'] as const;

describe.each(changing)('audio that changes within %s', (name) => {
  const codec = /mp3|e?ac3/.exec(name)?.[0] ?? 'aac';

  it.each<OutputContainer>([codec === 'mp3' || codec === 'eac3' ? 'mov' : 'm4a', 'mkv', 'mp4'])(
    'is not copied into %s',
    async (ext) => {
      const whatOf = (input: string) => {
        if (input === 'channels.aac') return 'channels';
        return input === 'rates.ts' ? 'sample rate from 44100 to 48000 Hz' : 'sample rate from 48000 to 44100 Hz';
      };
      const what = whatOf(name);
      await expect(
        processAndVerify(engine, media, { inputs: [name], ext, type: 'extract_audio' }),
      ).rejects.toMatchObject({
        code: 'incompatible_codecs',
        message: expect.stringMatching(
          new RegExp(
            `^The ${codec} audio of input 1 changes its ${what} at 4\\.\\d s of the result, .* Set copyStreams to false`,
          ),
        ),
        input: 0,
      });
    },
  );

  it('is encoded with its pitch and its duration', async () => {
    const { path } = await processAndVerify(engine, media, { inputs: [name], ext: 'wav', copyStreams: false });
    const wav = readFileSync(path);
    const tones = tonesOf(wav);
    expect(tones.length).toBe(4 * mediaSeconds);
    expectTone(tones);
    const [audio] = (await describeMedia(path)).streams;
    expect(Math.abs((audio?.end ?? 0) - (await secondsOf(name)))).toBeLessThan(0.04);
  });

  it('keeps its frames in a container that stores a header with each', async () => {
    const { path } = await processAndVerify(engine, media, { inputs: [name], ext: 'ts' });
    const [audio] = (await describeMedia(path)).streams;
    expect(Math.abs((audio?.end ?? 0) - (audio?.first ?? 0) - (await secondsOf(name)))).toBeLessThan(0.04);
  });
});

describe('the audio of several parts', () => {
  const decode = async (path: string) =>
    (await processAndVerify(engine, media, { inputs: [{ path }], ext: 'wav', copyStreams: false })).path;

  it.each<[what: string, parts: string[], ext: OutputContainer]>([
    ['at a rate that the encoder does not support', ['a.ts', 'a.ts', 'a.ts', 'a.ts'], 'opus'],
    ['at another rate than the first one', ['later-high-a.ts', 'a.ts', 'a.ts', 'later-high-a.ts'], 'wav'],
  ])('is whole: %s', async (_what, names, ext) => {
    const files = names.map((name, section) => ({ path: media.file(name), duration: mediaSeconds, section }));
    const [first = { path: '' }, ...followedBy] = files;
    const input = { ...first, followedBy };
    const { path } = await processAndVerify(engine, media, { inputs: [input], ext, copyStreams: false });
    const wav = ext === 'wav' ? path : await decode(path);
    const tones = tonesOf(readFileSync(wav));
    expect(tones.length).toBe(2 * names.length * mediaSeconds);
    expectTone(tones);
  });
});

it('audio without a change is copied', async () => {
  const { report } = await processAndVerify(engine, media, { inputs: ['same.aac'], ext: 'm4a' });
  expect(Math.abs(report.duration - (await secondsOf('same.aac')))).toBeLessThan(0.04);
});

it('MP3 that changes its rate is copied into MP3, whose frames state it', async () => {
  const { report } = await processAndVerify(engine, media, { inputs: ['rates.mp3'], ext: 'mp3' });
  expect(Math.abs(report.duration - (await secondsOf('rates.mp3')))).toBeLessThan(0.1);
});

it('a copied clip of audio that begins after a change is refused', async () => {
  const clip = { start: 5, end: 7 };
  await expect(processAndVerify(engine, media, { inputs: ['rates.aac'], ext: 'm4a', clip })).rejects.toMatchObject({
    code: 'incompatible_codecs',
  });
});
