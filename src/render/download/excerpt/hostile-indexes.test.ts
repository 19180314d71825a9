import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { FastPathDeclined } from '../../engine/binary/fast-path-declined.ts';
import { box, fullBox, u16, u32 } from '../../engine/mp4/box-writer.ts';
import { makeDash } from '../../engine/testing/make-dash.ts';
import { type MediaDirectory, makeMedia } from '../../engine/testing/test-media.ts';
import { ExcerptDeclined } from './media-index.ts';
import { planFromBytes } from './testing/plan-from-bytes.ts';

const names = ['gop.mp4', 'av.mov', 'fragmented.mp4', 'dash-v.mp4', 'av.mkv', 'av.webm'] as const;
const clip = { start: 1.5, end: 2.5 };

let media: MediaDirectory;
beforeAll(async () => {
  media = await makeMedia('gop.mp4', 'av.mov', 'fragmented.mp4', 'v.mp4', 'av.mkv', 'av.webm');
  await makeDash(media.file('v.mp4'), media.file('dash-v.mp4'));
});
afterAll(() => media.remove());

/** Plans an excerpt, which may only be declined. */
function planOrDecline(file: Buffer, range = clip): ReturnType<typeof planFromBytes> | undefined {
  try {
    return planFromBytes(file, range);
  } catch (error) {
    if (error instanceof ExcerptDeclined || error instanceof FastPathDeclined) return undefined;
    throw error;
  }
}

/** Returns the offset of the content of the first box or element with this name or ID. */
function contentOf(file: Buffer, name: string | Buffer): number {
  const at = file.indexOf(name);
  if (at < 0) throw new Error('the file has no such box');
  return at + name.length;
}

/** Changes a copy of a file. */
function changed(name: string, change: (file: Buffer) => void): Buffer {
  const file = Buffer.from(readFileSync(media.file(name)));
  change(file);
  return file;
}

describe('a damaged index', () => {
  test('is declined or leads to bytes of the file', () => {
    const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const damages = fc.array(fc.tuple(position, fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.boolean(), damages, (name, atEnd, damage) => {
        const file = changed(name, (bytes) => {
          // Indexes are near the beginning or the end of a file.
          const length = Math.min(bytes.length, 6000);
          const from = atEnd ? bytes.length - length : 0;
          for (const [at, value] of damage) bytes[from + Math.floor(at * length)] = value;
        });
        planOrDecline(file);
      }),
      { seed: 5, numRuns: propertyRuns(600) },
    );
  });

  test('is declined wherever the file ends', () => {
    const lengths = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...names), lengths, (name, share) => {
        const file = readFileSync(media.file(name));
        planOrDecline(file.subarray(0, Math.floor(share * file.length)));
      }),
      { seed: 6, numRuns: propertyRuns(200) },
    );
  });
});

describe('a movie that lists', () => {
  test.each([
    ['2^32 samples of one size', (body: Buffer) => body.writeUInt32BE(1, 4)],
    ['2^32 samples of different sizes', (body: Buffer) => body.writeUInt32BE(0, 4)],
  ])('%s is declined', (_what, change) => {
    const file = changed('gop.mp4', (bytes) => {
      const body = bytes.subarray(contentOf(bytes, 'stsz'));
      change(body);
      body.writeUInt32BE(0xffff_ffff, 8);
    });
    expect(planOrDecline(file)).toBeUndefined();
  });

  test('samples outside the file is declined', () => {
    const file = changed('gop.mp4', (bytes) => bytes.writeUInt32BE(0x7fff_0000, contentOf(bytes, 'stco') + 8));
    expect(planOrDecline(file)).toBeUndefined();
  });
});

describe('a segment index', () => {
  const sidxOf = (...references: readonly (readonly [size: number, duration: number])[]) => {
    const entries = references.map(([size, duration]) => u32(size, duration, 0x9000_0000));
    return fullBox('sidx', 0, 0, u32(1, 1000, 0, 0), u16(0, entries.length), ...entries);
  };
  /** Replaces the index of a DASH file. */
  function withIndex(index: Buffer): Buffer {
    const file = readFileSync(media.file('dash-v.mp4'));
    const at = file.indexOf('sidx') - 4;
    const end = at + file.readUInt32BE(at);
    return Buffer.concat([file.subarray(0, at), index, file.subarray(end)]);
  }

  test.each([
    ['references outside the file', sidxOf([0x7fff_ffff, 4000])],
    ['empty references', sidxOf([0, 1000], [0, 1000])],
    ['no references', sidxOf()],
    ['references to further indexes that are media', sidxOf([0x8000_0100, 4000])],
    ['impossible durations', sidxOf([100, 0xffff_ffff], [100, 0xffff_ffff])],
    ['only a part of the file', sidxOf([100, 1000])],
  ])('with %s is declined or leads to bytes of the file', (_what, index) => {
    const plan = planOrDecline(withIndex(index), { start: 0.5, end: 1 });
    if (plan !== undefined) expect(plan.file.length).toBeLessThan(withIndex(index).length + 2000);
  });

  test('that does not lead to fragments is declined', () => {
    const file = readFileSync(media.file('dash-v.mp4'));
    const mediaBytes = file.length - file.indexOf('sidx') + 4 - file.readUInt32BE(file.indexOf('sidx') - 4);
    const index = sidxOf([1000, 1000], [mediaBytes - 1000, 3000]);
    expect(planOrDecline(withIndex(index), { start: 2, end: 3 })).toBeUndefined();
  });

  test('may refer to further indexes', () => {
    const file = readFileSync(media.file('dash-v.mp4'));
    const at = file.indexOf('sidx') - 4;
    const inner = file.subarray(at, at + file.readUInt32BE(at));
    const rest = file.subarray(at + inner.length);
    const outer = sidxOf([0x8000_0000 + inner.length + rest.length, 4000]);
    const nested = planFromBytes(Buffer.concat([file.subarray(0, at), outer, inner, rest]), clip);
    expect(nested.file.equals(planFromBytes(file, clip).file)).toBe(true);
  });
});

describe('cues', () => {
  const cuePosition = Buffer.from([0xf1]);

  test.each([
    ['outside the file', 0xff],
    ['backwards', 0x00],
  ])('that point %s are declined or lead to a cluster', (_what, value) => {
    const file = changed('av.mkv', (bytes) => {
      const cues = contentOf(bytes, Buffer.from('1c53bb6b', 'hex'));
      for (let at = bytes.indexOf(cuePosition, cues); at >= 0; at = bytes.indexOf(cuePosition, at + 1)) {
        const size = (bytes[at + 1] ?? 0x81) & 0x0f;
        bytes.fill(value, at + 2, at + 2 + size);
      }
    });
    const plan = planOrDecline(file);
    if (plan !== undefined) expect(plan.start).toBeLessThanOrEqual(clip.start);
  });
});

test.each([
  ['no index', Buffer.concat([box('ftyp', Buffer.from('isom')), box('mdat', Buffer.alloc(500))])],
  ['another format', Buffer.from('ID3 and some more bytes')],
  ['nothing', Buffer.alloc(0)],
])('a file with %s is declined', (_what, file) => {
  expect(planOrDecline(file)).toBeUndefined();
});
