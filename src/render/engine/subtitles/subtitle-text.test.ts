import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import {
  convertCue,
  findCueLoss,
  isTextSubtitle,
  limitTimedText,
  subtitleHeader,
  type TextSubtitleCodec,
} from './subtitle-text.ts';

const timedText = (text: string | Buffer) => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
};
const convert = (from: string, packet: string | Buffer, to: TextSubtitleCodec = 'subrip') => {
  return convertCue(Buffer.from(packet), from, to)?.toString('utf8');
};

describe('reading a cue', () => {
  it.each([
    ['subrip', '<b>Bold</b> and <font color="#fff">white</font>\r\n{\\an8}2 < 3', 'Bold and white\n2 < 3'],
    ['webvtt', '<v Anna>Hi</v> <00:01.000>you &amp; me &lt;3 &foo;', 'Hi you & me <3 &foo;'],
    ['ass', '0,0,Default,,0,0,0,,{\\i1}One{\\i0}, two\\NThree\\hfour', 'One, two\nThree four'],
    ['text', 'as it is <b>', 'as it is <b>'],
  ])('returns the text of %s', (from, packet, text) => expect(convert(from, packet)).toBe(text));

  it('returns the text of mov_text in UTF-8 with styles, and in UTF-16', () => {
    expect(convert('mov_text', Buffer.concat([timedText('Grüße'), Buffer.from('\0\0\0\x0cstyl')]))).toBe('Grüße');
    expect(convert('mov_text', timedText(Buffer.from('feff004700fc', 'hex')))).toBe('Gü');
    expect(convert('mov_text', timedText(Buffer.from('feff004700', 'hex')))).toBe('G');
  });

  it.each([
    ['a pause', 'mov_text', '\0\0'],
    ['a packet cut short', 'mov_text', '\0'],
    ['a drawing', 'ass', '0,0,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}'],
    ['only tags', 'subrip', '<i></i>\n '],
    ['another format', 'hdmv_pgs_subtitle', 'abc'],
  ])('returns nothing for %s', (_what, from, packet) => expect(convert(from, packet)).toBeUndefined());
});

describe('writing a cue', () => {
  it('escapes special characters in WebVTT, so that a cue contains no arrow', () => {
    expect(convert('subrip', 'a --> b & c', 'webvtt')).toBe('a --&gt; b &amp; c');
  });

  it('omits empty lines, which would end the cue', () => {
    expect(convert('ass', ',,,,,,,,a\\N\\N \\Nb')).toBe('a\nb');
  });

  it('stores the length of mov_text in bytes', () => {
    expect(convertCue(Buffer.from('ü'), 'subrip', 'mov_text')).toEqual(Buffer.from([0, 2, 0xc3, 0xbc]));
  });

  it('truncates long cues between characters', () => {
    const converted = convertCue(Buffer.from('€'.repeat(30_000)), 'subrip', 'mov_text');
    expect(converted?.readUInt16BE(0)).toBe((converted?.length ?? 0) - 2);
    expect(converted?.subarray(2).toString('utf8')).toMatch(/^€{10000,}$/);
  });

  it('returns a header only for mov_text: the sample description and its one font', () => {
    expect(subtitleHeader('subrip')).toBeUndefined();
    expect(subtitleHeader('webvtt')).toBeUndefined();
    const header = subtitleHeader('mov_text') ?? Buffer.alloc(0);
    expect(header.length).toBe(30 + 18);
    expect(header.readUInt32BE(30)).toBe(18);
  });
});

it.each([
  ['a drawing', 'ass', '0,0,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}', 'drawing'],
  ['a packet without its length', 'mov_text', '\0', 'damaged'],
  ['a packet that is shorter than declared', 'mov_text', '\0\x05abc', 'damaged'],
  ['a cue that exceeds the size limit', 'subrip', 'a'.repeat(32_001), 'too long'],
  ['a pause', 'mov_text', '\0\0', undefined],
  ['only tags', 'subrip', '<i></i>', undefined],
  ['a cue', 'ssa', ',,,,,,,,{\\i1}One, two', undefined],
])('the reported loss of %s in %s is correct', (_what, from, packet, loss) => {
  expect(findCueLoss(Buffer.from(packet, 'latin1'), from)).toBe(loss);
});

it('timed text keeps its formatting up to a size limit', () => {
  const styledText = (bytes: number) => Buffer.concat([timedText('abc'), Buffer.alloc(bytes)]);
  expect(limitTimedText(styledText(1000))).toEqual(styledText(1000));
  expect(limitTimedText(styledText(1_000_000))).toEqual(timedText('abc'));
});

it('text subtitles are recognised by their codec', () => {
  expect(['subrip', 'ass', 'webvtt', 'mov_text', 'dvb_subtitle', 'constructor'].map(isTextSubtitle)).toEqual([
    ...[true, true, true, true],
    ...[false, false],
  ]);
});

it('plain text survives any chain of formats, and arbitrary bytes cause no error', () => {
  const formats = fc.constantFrom<TextSubtitleCodec>('subrip', 'webvtt', 'mov_text');
  const word = fc.stringMatching(/^[a-zäöü&.,!]{1,9}$/).filter((text) => !/&[a-z]{2,4};/.test(text));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.array(formats, { maxLength: 4 }), (lines, chain) => {
      let cue: Buffer | undefined = Buffer.from(lines.join('\n'));
      let from = 'subrip';
      for (const to of [...chain, 'subrip'] as const) {
        cue = cue && convertCue(cue, from, to);
        from = to;
      }
      expect(cue?.toString('utf8')).toBe(lines.join('\n'));
    }),
    { seed: 3 },
  );
  const any = fc.constantFrom('subrip', 'webvtt', 'mov_text', 'ass', 'ssa', 'text');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), any, formats, (bytes, from, to) => {
      const cue = convertCue(Buffer.from(bytes), from, to);
      if (to !== 'mov_text') expect(cue?.toString('utf8') ?? 'a').not.toMatch(/^$|\n\n/);
      if (to === 'webvtt') expect(cue?.toString('utf8') ?? '').not.toContain('-->');
    }),
    { seed: 4, numRuns: propertyRuns(2000) },
  );
});
