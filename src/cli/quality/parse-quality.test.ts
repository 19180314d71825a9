import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../errors/command-errors.ts';
import { parseQuality } from './parse-quality.ts';
import { type Condition, simpleQuality } from './selector.ts';

const resolution = (comparison: '<' | '<=' | '=' | '>=' | '>', value: number): Condition => ({
  property: 'resolution',
  comparison,
  value,
});
const codec = (...oneOf: ('h264' | 'h265' | 'vp9' | 'av1')[]): Condition => ({ property: 'codec', oneOf });
const best = (...conditions: Condition[]) => ({ kind: 'video', wishes: [{ order: 'best', conditions }] });
const worst = (...conditions: Condition[]) => ({ kind: 'video', wishes: [{ order: 'worst', conditions }] });

describe('a quality in the syntax of Millrace', () => {
  test.each([
    ['best', best()],
    ['WORST', worst()],
    ['audio', { kind: 'audio' }],
    ['image', { kind: 'image' }],
    ['720p', { kind: 'label', label: '720p' }],
    ['1080', { kind: 'label', label: '1080' }],
    ['1080p60 HDR', { kind: 'label', label: '1080p60 HDR' }],
    ['native_hd', { kind: 'label', label: 'native_hd' }],
    ['AAC 131 kbps', { kind: 'label', label: 'AAC 131 kbps' }],
    ['<=720p', best(resolution('<=', 720))],
    ['>=480', best(resolution('>=', 480))],
    ['4k', best(resolution('=', 2160))],
    ['av1', best(codec('av1'))],
    ['H.265', best(codec('h265'))],
    ['60fps', best({ property: 'fps', comparison: '=', value: 60 })],
    ['<=30fps', best({ property: 'fps', comparison: '<=', value: 30 })],
    ['hdr', best({ property: 'hdr', value: true })],
    ['<50MB', best({ property: 'bytes', comparison: '<', value: 50_000_000 })],
    ['720p, h264', best(resolution('=', 720), codec('h264'))],
    ['worst,>=480p,sdr', worst(resolution('>=', 480), { property: 'hdr', value: false })],
    ['1080p60,vp9', best(resolution('=', 1080), { property: 'fps', comparison: '=', value: 60 }, codec('vp9'))],
  ])('is parsed: %s', (text, selector) => {
    expect(parseQuality(text)).toEqual(selector);
  });

  test.each([
    ['', /such as 720p/],
    ['best,worst', /best and worst/],
    ['720p,audio', /"audio" cannot be combined/],
    ['720p,nonsense', /"nonsense" cannot be combined/],
    ['x'.repeat(301), /such as 720p/],
  ])('is refused: %s', (text, message) => {
    expect(() => parseQuality(text)).toThrow(UsageError);
    expect(() => parseQuality(text)).toThrow(message);
  });
});

describe('an expression of yt-dlp', () => {
  test.each([
    ['b', best()],
    ['bv*+ba', best()],
    ['bv*+ba/b', { kind: 'video', wishes: [best().wishes[0], best().wishes[0]] }],
    ['bestvideo+bestaudio/best', { kind: 'video', wishes: [best().wishes[0], best().wishes[0]] }],
    ['best[height<=720]', best(resolution('<=', 720))],
    ['[height<=720]', best(resolution('<=', 720))],
    [
      'bv*[height<=1080][ext=mp4]+ba[ext=m4a]/b',
      { kind: 'video', wishes: [best(resolution('<=', 1080)).wishes[0], best().wishes[0]] },
    ],
    ['worst/w', { kind: 'video', wishes: [worst().wishes[0], worst().wishes[0]] }],
    ['b[fps>30]', best({ property: 'fps', comparison: '>', value: 30 })],
    ['b[fps>?30]', best({ property: 'fps', comparison: '>', value: 30, unknownPasses: true })],
    ['bv*[vcodec^=avc1]+ba', best(codec('h264'))],
    ['bv*[vcodec!^=av01]+ba', best(codec('h264', 'h265', 'vp9'))],
    ["b[vcodec='vp9']", best(codec('vp9'))],
    ['b[filesize<50M]', best({ property: 'bytes', comparison: '<', value: 50_000_000 })],
    ['bv[dynamic_range^=HDR]+ba', best({ property: 'hdr', value: true })],
    ['bestaudio/ba', { kind: 'audio' }],
    ['bestaudio/best', { kind: 'audio' }],
    ['ba[ext=m4a]/ba', { kind: 'audio', format: 'm4a' }],
    ['ba[acodec=opus]', { kind: 'audio', format: 'opus' }],
    ['m4a', { kind: 'audio', format: 'm4a' }],
    ['mp4', best()],
  ])('is parsed: %s', (text, selector) => {
    expect(parseQuality(text)).toEqual(selector);
  });

  test.each([
    ['bv', /--quality best/],
    ['bv[height<=720]', /--quality 'bv\[height<=720\]\+ba'/],
    ['137+140', /--list instead of a format number/],
    ['bv*,ba', /one command for each file/],
    ['(mp4,webm)[height<480]', /without parentheses/],
    ['b[ext=webm]', /Videos are MP4/],
    ['ba[ext=webm]', /--audio opus/],
    ['b[language=de]', /--audio-language/],
    ['b[tbr<500]', /filesize or height/],
    ['b[height~=7]', /height, fps/],
    ['b[height]', /comparison/],
    ['b/ba', /--quality audio/],
    ['ba+bv', /video before the audio/],
    ['bv+ba+ba', /--audio-language/],
    ['best.2+ba', /<=720p,h264/],
    ['b[', /<=720p,h264/],
    ['b[vcodec=theora]', /h264, h265, vp9, av1/],
  ])('is refused with the equivalent: %s', (text, message) => {
    expect(() => parseQuality(text)).toThrow(UsageError);
    expect(() => parseQuality(text)).toThrow(message);
  });
});

test('any text is a selector or a usage error', () => {
  const pieces = fc.constantFrom(
    'b',
    'bv*',
    'ba',
    '+',
    '/',
    '[height<=',
    '720',
    ']',
    'p',
    ',',
    'h264',
    '<',
    '60fps',
    '(',
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        expect(['video', 'audio', 'image', 'label']).toContain(parseQuality(text).kind);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
      }
    }),
    { seed: 25, numRuns: 500 },
  );
});

test('a quality without conditions is simple', () => {
  const simple = (text: string) => simpleQuality(parseQuality(text));
  expect(['best', 'bv*+ba/b', 'w', 'ba', 'image', '720p'].map(simple)).toEqual([
    'best',
    'best',
    'worst',
    'audio',
    'image',
    '720p',
  ]);
  expect(simple('best[height<=720]/b')).toBeUndefined();
});
