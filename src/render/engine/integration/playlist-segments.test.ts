/** @module-tag long */

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../engine.ts';
import type { EngineInput } from '../tasks/task.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { type MediaDirectory, makeMedia, mediaSeconds } from '../testing/test-media.ts';
import { timestampTag } from '../testing/timestamp-tag.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('av.ts', 'far.ts', 'v.ts', 'a.ts', 'a.aac', 'a.mp3', 'slides.ts', 'later-v.ts');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const packetBytes = 188;

function read(name: string): Buffer {
  return readFileSync(media.file(name));
}

/** Returns an input whose file is assembled from segments. The playlist lists those that are the same buffer again. */
function inputOf(segments: readonly Buffer[], declared = mediaSeconds, ext = 'ts'): EngineInput {
  const path = media.file(`segments.${ext}`);
  writeFileSync(path, Buffer.concat(segments));
  const ends = segments.map((_, at) => Buffer.concat(segments.slice(0, at + 1)).length);
  const seconds = segments.map(() => declared);
  const relisted = segments.flatMap((segment, at) => (segments.indexOf(segment) < at ? [at] : []));
  const table = { first: 1, inAll: segments.length, seconds, ends, relisted };
  return { path, duration: declared * segments.length, segments: table };
}

async function convert(input: EngineInput, ext = 'mkv'): Promise<number> {
  const task = {
    directory: media.path,
    inputs: [input],
    output: { path: media.file(`result.${ext}`), ext },
    operation: { type: 'convert_format', copyStreams: true } as const,
    maxOutputBytes: 100_000_000,
  };
  const { duration } = await engine.process(task, { signal: new AbortController().signal });
  return duration;
}

/** Returns the first packets of a file, up to about the given fraction of it. */
function beginning(bytes: Buffer, share: number): Buffer {
  return bytes.subarray(0, Math.floor((bytes.length * share) / packetBytes) * packetBytes);
}

/** Returns the first packets of an MPEG-TS file, which contain its tables. */
const tables = (bytes: Buffer) => bytes.subarray(0, 2 * packetBytes);

describe.each(['av.ts', 'v.ts', 'a.ts', 'a.aac', 'a.mp3'])('segments like %s, whose clock restarts', (name) => {
  const ext = name.replace(/.*\./, '');

  it.each([mediaSeconds, mediaSeconds + 1])('become one file when declared as %d s each', async (declared) => {
    const whole = read(name);
    const seconds = await convert(inputOf([whole, whole, whole], declared, ext));
    expect(Math.abs(seconds - 3 * mediaSeconds)).toBeLessThan(0.3);
  });

  it('are refused if one is truncated', async () => {
    const whole = read(name);
    const cut = ext === 'ts' ? beginning(whole, 0.3) : whole.subarray(0, whole.length * 0.3);
    await expect(convert(inputOf([whole, cut, whole], undefined, ext))).rejects.toMatchObject({
      code: 'input_incomplete',
      input: 0,
      message: expect.stringMatching(
        /^Segment 2 of 3 of input 1 holds [01]\.\d s of media, but its playlist declares 4/,
      ),
    });
  });
});

/** Returns AAC after a tag with its time in seconds. */
const packed = (seconds: number) => Buffer.concat([timestampTag(Math.round(seconds * 90_000)), read('a.aac')]);

describe('segments of packed audio', () => {
  it.each([
    ['in order', [9, 13, 17], undefined],
    ['with a clock that restarts', [9, 13, 0], undefined],
    ['in reverse order', [17, 13, 9], /^Segment 2 of 3 of input 1 is out of order/],
    ['rotated', [13, 17, 9], /^Segment 3 of 3 of input 1 is out of order/],
    ['of which the last one repeats the first', [9, 13, 9], /^Segment 3 of 3 of input 1 holds the same media/],
  ])('are compared with each other: %s', async (_what, starts, message) => {
    const result = convert(inputOf(starts.map(packed), undefined, 'aac'));
    if (message === undefined) await expect(result).resolves.toBeGreaterThan(11);
    else await expect(result).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });
});

describe('MPEG-TS segments', () => {
  it('are refused if one contains only tables, regardless of the clock', async () => {
    const whole = read('av.ts');
    for (const next of [whole, read('far.ts')]) {
      await expect(convert(inputOf([whole, tables(whole), next]))).rejects.toMatchObject({
        code: 'input_incomplete',
        message: expect.stringContaining('Segment 2 of 3 of input 1 holds no media'),
      });
    }
  });

  it('are refused if one is sent at two addresses, or in another order', async () => {
    const [first, second] = [read('v.ts'), read('later-v.ts')];
    await expect(convert(inputOf([first, second]))).resolves.toBeGreaterThan(7.5);
    await expect(convert(inputOf([second, first]))).rejects.toMatchObject({
      code: 'input_incomplete',
      input: 0,
      message: expect.stringMatching(/^Segment 2 of 2 of input 1 is out of order: .* before that of segment 1\./),
    });
    for (const ext of ['mp4', 'mkv', 'ts']) {
      await expect(convert(inputOf([first, second, Buffer.from(first)]), ext)).rejects.toMatchObject({
        message: expect.stringMatching(/^Segment 3 of 3 of input 1 holds the same media as segment 1, although/),
      });
    }
  });

  it('become one file if their clock restarts and their bytes differ', async () => {
    const [whole, other] = [read('av.ts'), beginning(read('av.ts'), 0.9)];
    await expect(convert(inputOf([whole, other]))).resolves.toBeGreaterThan(7);
  });

  it('may each contain a single video frame and no audio', async () => {
    const pictures = picturesOf(read('slides.ts'));
    expect(pictures.length).toBeGreaterThan(3);
    await expect(convert({ ...inputOf(pictures, 8), duration: 8 * (pictures.length - 1) })).resolves.toBeGreaterThan(8);
  });

  it('are accepted even if most contain only audio because video frames are rare', async () => {
    const whole = read('slides.ts');
    const length = Math.ceil(whole.length / packetBytes / 5) * packetBytes;
    const fifths = [0, 1, 2, 3, 4].map((at) => whole.subarray(at * length, (at + 1) * length));
    await expect(convert(inputOf(fifths, 8))).resolves.toBeGreaterThan(30);
  });
});

/** Cuts MPEG-TS before each video frame, and drops everything that is not video. */
function picturesOf(bytes: Buffer): Buffer[] {
  const videoPid = 0x100;
  const cuts: Buffer[][] = [[]];
  for (let at = 0; at + packetBytes <= bytes.length; at += packetBytes) {
    const packet = bytes.subarray(at, at + packetBytes);
    const pid = packet.readUInt16BE(1) & 0x1fff;
    const begins = (packet.readUInt8(1) & 0x40) !== 0;
    if (pid > videoPid) continue;
    const cut = cuts.at(-1);
    const full = cut?.some((each) => (each.readUInt16BE(1) & 0x1fff) === videoPid);
    if (pid === videoPid && begins && full) cuts.push([packet]);
    else cut?.push(packet);
  }
  return cuts.map((packets) => Buffer.concat(packets));
}
