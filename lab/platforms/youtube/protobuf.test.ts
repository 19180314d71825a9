import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeMessage, encodeMembers, inner, message, numberOf, readMessage, textOf } from './protobuf.ts';

test("encodeMembers writes the params of the site's videos tab", () => {
  expect(encodeMembers([2, 'videos'], [110, message([1, message([7, message()])])])).toBe('EgZ2aWRlb3PyBgQKAjoA');
});

test('decodeMessage reads the members that encodeMembers has written', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.string({ unit: 'grapheme' }), fc.string(), (number, text, deeper) => {
      const read = decodeMessage(encodeMembers([1, number], [2, text], [80_226_972, message([3, deeper])]));
      expect([numberOf(read, 1), textOf(read, 2), textOf(inner(read, 80_226_972), 3)]).toEqual([number, text, deeper]);
    }),
    { seed: 1 },
  );
});

test('readMessage and decodeMessage return undefined, or no requested member, for other bytes and texts', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (bytes, text) => {
      const read = readMessage(Buffer.from(bytes));
      expect(read === undefined || read.size <= bytes.length).toBe(true);
      expect(textOf(inner(decodeMessage(text), 1, 2, 3), 4)).toBeUndefined();
    }),
    { seed: 1 },
  );
  expect(readMessage(Buffer.from([0x0a, 0xff]))).toBeUndefined();
});
