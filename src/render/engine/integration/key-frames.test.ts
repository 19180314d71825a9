import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { isFirstFrame } from '../formats/first-frame.ts';
import { beginsDecoding } from '../formats/key-frames.ts';
import { hasNalUnits } from '../formats/nal-units.ts';
import { findClip } from '../testing/corpus/clips.ts';
import { encodeClip } from '../testing/corpus/encode.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { trackOf } from '../testing/packet-times.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { readPackets } from '../testing/read-packets.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('gop.mp4', 'long-gops.mp4');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const gops = { g: '6', 'auto-alt-ref': '0' };
const clips = [
  findClip('h264'),
  findClip('h264 with open GOPs'),
  { ...findClip('h264 with many B-frames'), options: { g: '9', bf: '3' } },
  findClip('hevc'),
  { ...findClip('av1'), options: { preset: '12', g: '6' } },
  { ...findClip('vp8'), options: gops },
  { ...findClip('vp9'), options: gops },
];

describe('frames at which decoding can begin', () => {
  it.each(clips)('are those that the encoder calls key frames: $codec', async (clip) => {
    for (const globalHeader of [true, false]) {
      const { parameters, packets } = await encodeClip(clip, globalHeader);
      const extradata = globalHeader ? (parameters.extradata ?? Buffer.alloc(0)) : Buffer.alloc(0);
      const found = packets.map(({ data }) => beginsDecoding(clip.codec, extradata, data ?? Buffer.alloc(0)));
      // A frame that does not tell is never a key frame here.
      expect(found.map((isKey) => isKey ?? false)).toEqual(packets.map(({ isKeyframe }) => isKeyframe));
      expect(found).toContain(true);
      expect(found).toContain(false);
    }
  });

  it.each(clips)('are not enough without the parameter sets of their video: $codec', async (clip) => {
    const { parameters, packets } = await encodeClip(clip, true);
    const header = parameters.extradata ?? Buffer.alloc(0);
    const [first] = packets;
    const frame = first?.data ?? Buffer.alloc(0);
    const needsHeader = hasNalUnits(clip.codec);
    expect(isFirstFrame(clip.codec, Buffer.alloc(0), frame)).toBe(!needsHeader);
    expect(isFirstFrame(clip.codec, Buffer.alloc(0), Buffer.concat([header, frame]))).toBe(true);
    const other = packets.find(({ isKeyframe }) => !isKeyframe)?.data ?? Buffer.alloc(0);
    expect(isFirstFrame(clip.codec, header, other)).toBe(false);
  });
});

/** Copies a file without its list of key frames. Every frame then counts as one (ISO/IEC 14496-12 §8.6.2). */
function callAllKeyFrames(name: string): string {
  const file = readFileSync(media.file(name));
  file.write('sdtp', file.indexOf('stss'), 'latin1');
  writeFileSync(media.file(`all-key-${name}`), file);
  return `all-key-${name}`;
}

async function videoOf(path: string) {
  return trackOf(await readPackets(path), 'video').packets;
}

describe('a copied clip of a file that calls every frame a key frame', () => {
  it.each<[string, OutputContainer, number, number]>([
    ['gop.mp4', 'mp4', 1.7, 1],
    ['gop.mp4', 'mkv', 1.7, 1],
    ['long-gops.mp4', 'mp4', 35, 0],
    ['long-gops.mp4', 'mkv', 35, 0],
  ])('begins at a frame that is one: %s to %s', async (name, ext, start, keyTime) => {
    const source = (await videoOf(media.file(name))).filter(({ key }) => key);
    const clip = { start, end: start + 0.8 };
    const { path, report } = await processAndVerify(engine, media, { inputs: [callAllKeyFrames(name)], ext, clip });
    const [first] = await videoOf(path);
    expect(source.find(({ time }) => time === keyTime)?.hash).toBe(first?.hash);
    expect(report.notes.map(({ code }) => code)).toEqual(ext === 'mkv' ? ['clip_starts_at_key_frame'] : []);
  });
});
