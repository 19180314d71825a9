import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { latin1, u16, u32 } from '../binary/big-endian.ts';
import { readImageHeader } from './image-header.ts';

const png = Buffer.concat([latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), u32(640, 480)]);
const jpeg = u16(0xffd8, 0xffe0, 4, 0, 0xffff);
const segment = (marker: number, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u16(marker, body.length + 2), body]);
};
const webp = (kind: string, body: Buffer) =>
  Buffer.concat([latin1('RIFF'), u32(0), latin1(`WEBP${kind}`), u32(0), body, Buffer.alloc(20)]);

it('reads the size of each format', () => {
  expect(readImageHeader(png)).toEqual({ format: 'png', width: 640, height: 480 });
  const frame = segment(0xffc2, Buffer.of(8), u16(480, 640), Buffer.alloc(8));
  const photo = Buffer.concat([
    u16(0xffd8),
    segment(0xffe0, Buffer.alloc(14)),
    segment(0xffc4, Buffer.alloc(9)),
    frame,
  ]);
  expect(readImageHeader(photo)).toEqual({ format: 'jpeg', width: 640, height: 480 });
  const lossy = Buffer.concat([Buffer.alloc(6), Buffer.of(0x80, 2, 0xe0, 1)]);
  expect(readImageHeader(webp('VP8 ', lossy))).toEqual({ format: 'webp', width: 640, height: 480 });
  const extended = Buffer.concat([Buffer.alloc(4), Buffer.of(0x7f, 2, 0, 0xdf, 1, 0)]);
  expect(readImageHeader(webp('VP8X', extended))).toEqual({ format: 'webp', width: 640, height: 480 });
  const lossless = Buffer.alloc(5);
  lossless.writeUInt32LE(639 + (479 << 14), 1);
  expect(readImageHeader(webp('VP8L', lossless))).toEqual({ format: 'webp', width: 640, height: 480 });
});

it('returns undefined for anything else', () => {
  for (const bytes of ['', 'GIF89a', '<svg/>', '#EXTM3U']) expect(readImageHeader(latin1(bytes))).toBeUndefined();
  expect(readImageHeader(jpeg)).toBeUndefined();
  expect(readImageHeader(png.subarray(0, 20))).toBeUndefined();
  expect(readImageHeader(Buffer.concat([png.subarray(0, 16), u32(0, 9)]))).toBeUndefined();
});

it('reads any bytes without an error', () => {
  const starts = [png, jpeg.subarray(0, 2), webp('VP8 ', Buffer.alloc(0)), Buffer.alloc(0)];
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      const header = readImageHeader(Buffer.concat([start, rest]));
      if (header !== undefined) expect(header.width).toBeGreaterThan(0);
    }),
    { seed: 16, numRuns: propertyRuns(1000) },
  );
});
