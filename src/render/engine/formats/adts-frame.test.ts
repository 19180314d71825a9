import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { BitWriter } from '../testing/bit-writer.ts';
import { adtsHeaderBytes, adtsSampleRates, parseAdtsFrame } from './adts-frame.ts';

test('a header of FFmpeg is that of stereo AAC at 44.1 kHz', () => {
  const frame = { objectType: 2, sampleRate: 44_100, channels: 2, bytes: 372, samples: 1024 };
  expect(parseAdtsFrame(Buffer.from('fff150802e9ffc', 'hex'))).toEqual(frame);
});

test.each([
  ['a header that is cut', 'fff150802e9f'],
  ['a frame of MP3', 'fffb9064000000'],
  ['an unknown sample rate', 'fff178802e9ffc'],
  ['a frame smaller than its header', 'fff1508000dffc'],
  ['no frame', '00000000000000'],
])('%s is not read', (_what, hex) => {
  expect(parseAdtsFrame(Buffer.from(hex, 'hex'))).toBeUndefined();
});

/** Writes the header of a frame without a checksum. */
function writeHeader(rateIndex: number, frame: Omit<ReturnType<typeof parseAdtsFrame> & object, 'sampleRate'>): Buffer {
  const writer = new BitWriter().write(0xfff, 12).write(0, 1).write(0, 2).write(1, 1);
  writer
    .write(frame.objectType - 1, 2)
    .write(rateIndex, 4)
    .write(0, 1)
    .write(frame.channels, 3)
    .write(0, 4);
  writer
    .write(frame.bytes, 13)
    .write(0x7ff, 11)
    .write(frame.samples / 1024 - 1, 2);
  return writer.bytes(false);
}

test('every header is read as it was written, and other bytes are read as a header or not at all', () => {
  const fields = fc.record({
    objectType: fc.integer({ min: 1, max: 4 }),
    channels: fc.nat(7),
    bytes: fc.integer({ min: adtsHeaderBytes, max: 8191 }),
    samples: fc.constantFrom(1024, 2048, 3072, 4096),
  });
  fc.assert(
    fc.property(fields, fc.nat(adtsSampleRates.length - 1), (frame, rateIndex) => {
      const header = writeHeader(rateIndex, frame);
      expect(parseAdtsFrame(header)).toEqual({ ...frame, sampleRate: adtsSampleRates[rateIndex] });
    }),
    { seed: 51, numRuns: propertyRuns(500) },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
      const frame = parseAdtsFrame(Buffer.from([0xff, 0xf1, ...bytes]));
      expect(frame === undefined || frame.bytes >= adtsHeaderBytes).toBe(true);
    }),
    { seed: 52, numRuns: propertyRuns(2000) },
  );
});
