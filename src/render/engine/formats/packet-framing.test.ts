import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { createPacketCheck } from './packet-framing.ts';

const avcHeader = Buffer.from([1, 0x64, 0, 0x1f, 0xff, 0xe1]);
const check = (codec: string, bytes: readonly number[] | Buffer, extradata = Buffer.alloc(0)) =>
  createPacketCheck(codec, extradata)?.(Buffer.from(bytes));

test.each(['h264', 'hevc', 'av1', 'vp9', 'aac', 'mp3', 'flac', 'opus'])('a packet of %s is not all zeros', (codec) => {
  expect(check(codec, Buffer.alloc(100))).toBe('a packet consists of 100 zeros');
});

test('silence of PCM is zeros, and so is a short Opus packet without sound', () => {
  expect(check('pcm_s16le', Buffer.alloc(100))).toBeUndefined();
  expect(check('opus', [0])).toBeUndefined();
});

describe('units with lengths', () => {
  test.each([
    ['fit', [0, 0, 0, 2, 0x65, 1, 0, 0, 0, 1, 9], undefined],
    ['one is empty', [0, 0, 0, 1, 9, 0, 0, 0, 0], 'a packet has an empty unit'],
    ['one is cut', [0, 0, 0, 5, 9, 9], 'the units of a packet do not fit into it'],
    ['a length is cut', [0, 0, 0, 1, 9, 0, 0], 'the units of a packet do not fit into it'],
  ])('%s', (_what, bytes, fault) => {
    expect(check('h264', bytes, avcHeader)).toBe(fault);
    const hevcHeader = Buffer.alloc(23, 0xff).fill(1, 0, 1);
    expect(check('hevc', bytes, hevcHeader)).toBe(fault);
  });

  test('may have lengths of two bytes', () => {
    const header = Buffer.from(avcHeader).fill(0xfd, 4, 5);
    expect(check('h264', [0, 1, 9, 0, 2, 1, 2], header)).toBeUndefined();
    expect(check('h264', [0, 3, 9], header)).toBe('the units of a packet do not fit into it');
  });

  test('do not fit if their last bytes are missing', () => {
    const unit = fc.uint8Array({ minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 5 }), fc.nat(), (units, random) => {
        const frames = units.map((bytes) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]));
        expect(check('h264', Buffer.concat(frames), avcHeader)).toBeUndefined();
        const missing = 1 + (random % (frames.at(-1)?.length ?? 1));
        const cut = Buffer.concat(frames).subarray(0, -missing);
        const isBetweenUnits = missing === frames.at(-1)?.length;
        expect(check('h264', cut, avcHeader) === undefined).toBe(isBetweenUnits);
      }),
      { seed: 50, numRuns: propertyRuns(300) },
    );
  });
});

test.each([
  ['three bytes', [0, 0, 1, 0x65], undefined],
  ['four bytes', [0, 0, 0, 1, 0x65], undefined],
  ['no start code', [0x65, 0, 0, 1], 'a packet begins without a start code'],
  ['a hole', [...Array(40).fill(0), 1, 0x65], 'a packet begins without a start code'],
])('units after a start code of %s', (_what, bytes, fault) => {
  expect(check('h264', bytes)).toBe(fault);
});

test.each([
  ['whole', [0x12, 0, 0x32, 2, 1, 1], undefined],
  ['a last one without a size', [0x12, 0, 0x30, 1, 2, 3], undefined],
  ['one with an extension', [0x36, 0x20, 1, 9], undefined],
  ['one that is cut', [0x32, 5, 1], 'the units of a packet do not fit into it'],
  ['an invalid header', [0x92, 0], 'a unit of a packet has an invalid header'],
  ['a size without an end', [0x32, ...Array(9).fill(0xff)], 'a unit of a packet has an invalid size'],
])('units of AV1: %s', (_what, bytes, fault) => {
  expect(check('av1', bytes)).toBe(fault);
});

test.each([
  ['whole', [0xff, 0xf1, 0x50, 0x80, 0x01, 0x1f, 0xfc, 0x21], undefined],
  ['cut', [0xff, 0xf1, 0x50, 0x80, 0x01, 0x3f, 0xfc, 0x21], 'a packet has 8 bytes instead of 9'],
  ['without its header', [0x21, 0x10, 4, 0x60, 0x8c, 0x1c, 1, 1], 'a packet begins without a sync word'],
])('a frame of ADTS: %s', (_what, bytes, fault) => {
  expect(check('aac', bytes)).toBe(fault);
});

test('packets of other codecs, and AAC without ADTS, have no frames to check', () => {
  expect(check('vp9', [1, 2, 3])).toBeUndefined();
  expect(check('aac', [0x21, 0x10], Buffer.from([0x12, 0x10]))).toBeUndefined();
  expect(createPacketCheck('mov_text', Buffer.alloc(0))).toBeUndefined();
});
