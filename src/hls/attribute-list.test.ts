import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { startCpuClock } from '../testing/cpu-clock.ts';
import { parseAttributes } from './attribute-list.ts';

const entries = (list: string) => [...parseAttributes(list, 7)];

describe('parseAttributes', () => {
  it.each<[string, [string, string][]]>([
    ['', []],
    ['A=1', [['A', '1']]],
    [
      'A=1,B=two',
      [
        ['A', '1'],
        ['B', 'two'],
      ],
    ],
    [
      'CODECS="mp4a.40.2,avc1.64001f",NAME="720"',
      [
        ['CODECS', 'mp4a.40.2,avc1.64001f'],
        ['NAME', '720'],
      ],
    ],
    ['URI="https://a.example/x=(1),y=2"', [['URI', 'https://a.example/x=(1),y=2']]],
    [
      'A="",B=',
      [
        ['A', ''],
        ['B', ''],
      ],
    ],
    [
      'PROGRAM-ID=1, BANDWIDTH=5 , NAME = "x" ,',
      [
        ['PROGRAM-ID', '1'],
        ['BANDWIDTH', '5'],
        ['NAME', 'x'],
      ],
    ],
    ['A=first,A=second', [['A', 'first']]],
    ['__proto__=1', [['__proto__', '1']]],
  ])('reads %j', (list, expected) => {
    expect(entries(list)).toEqual(expected);
  });

  it.each([
    ['no value', 'A'],
    ['no name', '=1'],
    ['an empty part', 'A=1,,B=2'],
    ['an open quote', 'A="1,B=2'],
    ['text after quotes', 'A="1"2'],
  ])('rejects %s and names the line', (_, list) => {
    expect(() => parseAttributes(list, 7)).toThrow(/line 7 /);
    expect(() => parseAttributes(list, 7)).toThrow(MillraceError);
  });

  it('takes linear time for any text', () => {
    for (const piece of ['=', ',', '"', ' ', 'A=', 'A="', 'A= ', 'A="",']) {
      const list = piece.repeat(65_536);
      const elapsed = startCpuClock();
      try {
        parseAttributes(list, 1);
      } catch (error) {
        expect(error).toBeInstanceOf(MillraceError);
      }
      expect(elapsed()).toBeLessThan(1000);
    }
  });

  it('parses a written list back to the same attributes', () => {
    const name = fc.stringMatching(/^[A-Z0-9-]{1,12}$/);
    const quotedValue = fc.string({ maxLength: 30 }).filter((text) => !text.includes('"'));
    const plain = fc.stringMatching(/^[A-Za-z0-9.x-]{1,12}$/);
    const value = fc.oneof(
      quotedValue.map((text) => [`"${text}"`, text] as const),
      plain.map((text) => [text, text] as const),
    );
    const list = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 10 });
    fc.assert(
      fc.property(list, (pairs) => {
        const text = pairs.map(([key, [source]]) => `${key}=${source}`).join(',');
        expect(entries(text)).toEqual(pairs.map(([key, [, expected]]) => [key, expected]));
      }),
      { seed: 1 },
    );
  });
});
