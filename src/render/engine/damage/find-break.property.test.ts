import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import type { ByteSource } from '../binary/byte-source.ts';
import { findAdtsHoles } from './adts-holes.ts';
import { breakFinder } from './find-break.ts';

function sourceOf(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(Math.max(0, offset), Math.max(0, offset) + length),
  };
}

/** Bytes with the marks of all formats, so that some of them are taken for parts of a file. */
const bytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((some) => Buffer.from(some)),
      fc
        .constantFrom(
          'OggS\0',
          '\xa3\x85',
          '\x1f\x43\xb6\x75\xff',
          '\x08\0\0\x05\0\0\0\0\0\0\0',
          'G',
          'ID3',
          '\xff\xf1\x50\x80',
        )
        .map((mark) => Buffer.from(mark, 'latin1')),
    ),
    { maxLength: 40 },
  )
  .map((parts) => Buffer.concat(parts));

describe('finders of damage', () => {
  it.each(['matroska,webm', 'ogg', 'flv', 'mpegts', 'flac'])('report an offset between two packets: %s', (format) => {
    fc.assert(
      fc.property(bytes, fc.nat(400), fc.nat(100), fc.nat(400), (file, position, size, distance) => {
        const next = position + distance;
        const offset = breakFinder(format)?.(sourceOf(file), { position, size }, next) ?? position;
        expect(offset).toBeGreaterThanOrEqual(position);
        expect(offset).toBeLessThanOrEqual(next);
      }),
      { seed: 3, numRuns: propertyRuns(300) },
    );
  });

  it('report holes of ADTS in the order of the file', () => {
    fc.assert(
      fc.property(bytes, (file) => {
        const ends = findAdtsHoles(sourceOf(file)).flatMap(({ offset, bytes }) => [offset, offset + bytes]);
        expect(ends).toEqual(ends.toSorted((a, b) => a - b));
        for (const end of ends) expect(end).toBeLessThan(file.length);
      }),
      { seed: 4, numRuns: propertyRuns(300) },
    );
  });
});
