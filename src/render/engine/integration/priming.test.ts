import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { containerFormats } from '../formats/container-formats.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { makeFile } from '../testing/make-file.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, makeMedia, mediaSeconds } from '../testing/test-media.ts';

/** When the tone begins in the test files, in seconds. Before it, they are silent. */
const onset = 1.5;
/** Number of samples that the encoder puts before the audio. */
const priming = 2048;

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('v.mp4');
  const { mp3, m4a } = containerFormats;
  const tone = `if(gte(t\\,${onset})\\,sin(2*PI*440*t)\\,0)`;
  const sound = [['aevalsrc', `${tone}|${tone}:s=44100:d=${mediaSeconds}`]] as const;
  await makeFile(media.file('tone.mp3'), { container: mp3, audio: mp3.encoders.audio, sound });
  await makeFile(media.file('tone.m4a'), { container: m4a, audio: m4a.encoders.audio, sound });
  const withoutEdits = { ...m4a, muxerOptions: { use_editlist: '0' } };
  await makeFile(media.file('untagged.m4a'), { container: withoutEdits, audio: m4a.encoders.audio, sound });
  writeFileSync(media.file('tagged.m4a'), addTag(readFileSync(media.file('untagged.m4a'))));
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Adds the tag with which iTunes states priming and padding, in samples, to a file whose last box is its index. */
function addTag(file: Buffer, padding = 0): Buffer {
  const box = (type: string, ...parts: readonly (Buffer | string)[]): Buffer => {
    const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
    const size = Buffer.alloc(4);
    size.writeUInt32BE(8 + body.length);
    return Buffer.concat([size, Buffer.from(type, 'latin1'), body]);
  };
  const zeros = (count: number) => Buffer.alloc(count);
  const hexadecimal = (value: number, digits: number) => value.toString(16).padStart(digits, '0').toUpperCase();
  const text = ` 00000000 ${hexadecimal(priming, 8)} ${hexadecimal(padding, 8)} ${hexadecimal(mediaSeconds * 44_100 - padding, 16)}`;
  const tag = box(
    '----',
    box('mean', zeros(4), 'com.apple.iTunes'),
    box('name', zeros(4), 'iTunSMPB'),
    box('data', Buffer.from([0, 0, 0, 1]), zeros(4), text),
  );
  const handler = box('hdlr', zeros(8), 'mdirappl', zeros(9));
  const data = box('udta', box('meta', zeros(4), handler, box('ilst', tag)));
  const index = file.lastIndexOf('moov') - 4;
  file.writeUInt32BE(file.readUInt32BE(index) + data.length, index);
  return Buffer.concat([file, data]);
}

/** Returns when the tone of a file begins, and how long its audio lasts, in seconds. */
async function listenTo(path: string, ext: string): Promise<{ readonly begins: number; readonly lasts: number }> {
  copyFileSync(path, media.file(`copy.${ext}`));
  const decoded = await processAndVerify(engine, media, { inputs: [`copy.${ext}`], ext: 'wav', copyStreams: false });
  const wav = readFileSync(decoded.path);
  const samples = wav.subarray(wav.indexOf('data') + 8);
  const count = samples.length >> 2;
  let first = 0;
  while (first < count && Math.abs(samples.readInt16LE(4 * first)) < 2000) first += 1;
  return { begins: first / 44_100, lasts: count / 44_100 };
}

describe('priming that iTunes states in a tag', () => {
  it.each<[OutputContainer, boolean]>([
    ['mp4', true],
    ['mkv', true],
    ['ts', true],
    ['mkv', false],
  ])('lies before the video in a join in %s, copied: %j', async (ext, copyStreams) => {
    const { path } = await processAndVerify(engine, media, {
      ...{ inputs: ['v.mp4', 'tagged.m4a'], ext, copyStreams, type: 'join_streams' },
    });
    const [video, audio] = (await describeMedia(path)).streams;
    expect(Math.abs((audio?.first ?? 0) - (video?.first ?? 0) + priming / 44_100)).toBeLessThan(0.03);
  });

  it.each<OutputContainer>(['m4a', 'mov', 'mkv'])(
    'is not heard in %s, nor is padding of over a packet',
    async (ext) => {
      const padding = 2000;
      const file = Buffer.from(readFileSync(media.file('untagged.m4a')));
      writeFileSync(media.file('padded.m4a'), addTag(file, padding));
      const { path } = await processAndVerify(engine, media, { inputs: ['padded.m4a'], ext });
      const { begins, lasts } = await listenTo(path, ext);
      expect(Math.abs(begins - onset)).toBeLessThan(0.002);
      expect(Math.abs(lasts - (mediaSeconds - padding / 44_100))).toBeLessThan(0.002);
    },
  );

  it.each<OutputContainer>(['m4a', 'mkv'])('is not heard in %s', async (ext) => {
    const { path } = await processAndVerify(engine, media, { inputs: ['tagged.m4a'], ext });
    expect(Math.abs((await listenTo(path, ext)).begins - onset)).toBeLessThan(0.002);
  });
});

describe('priming of MP3', () => {
  it.each<OutputContainer>(['mkv', 'mp3'])('is not heard in %s', async (ext) => {
    const { path } = await processAndVerify(engine, media, { inputs: ['tone.mp3'], ext });
    const { begins, lasts } = await listenTo(path, ext);
    expect(Math.abs(begins - onset)).toBeLessThan(0.002);
    expect(Math.abs(lasts - mediaSeconds)).toBeLessThan(0.002);
  });

  it.each<OutputContainer>(['mkv', 'ts', 'mp4'])('lies before the video in %s', async (ext) => {
    const inputs = ['v.mp4', 'tone.mp3'];
    const { path } = await processAndVerify(engine, media, { inputs, ext, type: 'join_streams' });
    const [video, audio] = (await describeMedia(path)).streams;
    expect(Math.abs((audio?.first ?? 0) - (video?.first ?? 0) + 0.025)).toBeLessThan(0.01);
  });
});

it.each<[string, OutputContainer]>([
  ['tone.mp3', 'mp3'],
  ['tone.mp3', 'mkv'],
  ['tone.m4a', 'mkv'],
])('the beginning of a copied clip of %s in %s is heard', async (name, ext) => {
  const { path } = await processAndVerify(engine, media, { inputs: [name], ext, clip: { start: 1 } });
  const { begins } = await listenTo(path, ext);
  // A copied clip begins with a whole packet.
  expect(Math.abs(begins - (onset - 1))).toBeLessThan(0.03);
});
