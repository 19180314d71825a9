import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../testing/property-runs.ts';
import { oggPages } from '../../tags/ogg-pages.ts';
import { layoutBytes, layPages } from './ogg-layout.ts';

/** Returns the packets on pages, and the offset after the last page. */
function readPackets(file: Buffer) {
  const read = (offset: number, length: number) => file.subarray(offset, offset + length);
  const packets: Buffer[] = [];
  let parts: Buffer[] = [];
  let fileEnd = 0;
  for (const { offset, sizes, bodyOffset, serial, end } of oggPages({ size: file.length, read })) {
    expect(serial).toBe(7);
    expect(file.readUInt8(offset + 5)).toBe(parts.length > 0 ? 1 : 0);
    expect(file.readBigInt64LE(offset + 6)).toBe(sizes.some((size) => size < 255) ? 0n : -1n);
    let at = bodyOffset;
    for (const size of sizes) {
      parts.push(read(at, size));
      at += size;
      if (size === 255) continue;
      packets.push(Buffer.concat(parts));
      parts = [];
    }
    fileEnd = end;
  }
  expect(parts).toEqual([]);
  return { packets, fileEnd };
}

test('pages contain the comments, zeros, and the other packets', () => {
  const length = fc.oneof(fc.integer({ min: 0, max: 300_000 }), fc.constantFrom(255, 510, 65_024, 65_025, 65_026));
  fc.assert(
    fc.property(length, length, fc.array(length, { maxLength: 2 }), (commentBytes, padding, otherLengths) => {
      const comments = Buffer.alloc(commentBytes, 'comments');
      const others = otherLengths.map((each) => Buffer.alloc(each, 'others'));
      const lengths = [commentBytes + padding, ...otherLengths];
      const contents = [
        { at: 0, bytes: comments },
        { at: commentBytes + padding, bytes: Buffer.concat(others) },
      ];
      const file = Buffer.concat([...layPages(lengths, 7, contents)]);
      const { packets, fileEnd } = readPackets(file);
      expect(packets.length).toBe(lengths.length);
      const expected = Buffer.concat([comments, Buffer.alloc(padding), ...others]);
      expect(Buffer.concat(packets).equals(expected)).toBe(true);
      expect(packets.map((packet) => packet.length)).toEqual(lengths);
      expect([fileEnd, file.length]).toEqual([layoutBytes(lengths), layoutBytes(lengths)]);
    }),
    { seed: 23, numRuns: propertyRuns(50) },
  );
});
