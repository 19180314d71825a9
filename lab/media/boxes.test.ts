import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxesBetween, findBox } from './boxes.ts';

function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  const content = Buffer.concat(contents);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

test('a box is found by its path', () => {
  const bytes = Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', box('free'), box('trak', box('tkhd')))]);
  expect(boxesBetween(bytes, 0, bytes.length).map(({ type }) => type)).toEqual(['ftyp', 'moov']);
  expect(findBox(bytes, ['moov', 'trak', 'tkhd'])).toEqual({ type: 'tkhd', start: 36, content: 44, end: 44 });
  expect(() => findBox(bytes, ['moov', 'mdia'])).toThrow('no box moov/mdia');
});

test('a box may have a large size', () => {
  const bytes = Buffer.alloc(20);
  bytes.writeUInt32BE(1);
  bytes.write('mdat', 4);
  bytes.writeBigUInt64BE(20n, 8);
  expect(boxesBetween(bytes, 0, 20)).toEqual([{ type: 'mdat', start: 0, content: 16, end: 20 }]);
});

test('the boxes found in any bytes lie within these bytes, one after another', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
      const bytes = Buffer.from(data);
      // Small numbers make it likely that box sizes fit.
      for (let at = 0; at + 3 < bytes.length; at += 8) bytes.fill(0, at, at + 3);
      let end = 0;
      for (const each of boxesBetween(bytes, 0, bytes.length)) {
        expect(each.start).toBe(end);
        expect(each.content).toBeLessThanOrEqual(each.end);
        end = each.end;
      }
      expect(end).toBeLessThanOrEqual(bytes.length);
    }),
    { seed: 1 },
  );
});
