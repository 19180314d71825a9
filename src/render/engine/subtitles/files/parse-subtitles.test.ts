import { describe, expect, test } from 'vitest';
import { subtitleLimits } from './file-cue.ts';
import { parseSubtitles } from './parse-subtitles.ts';
import { hasStyle, writeSubtitles } from './write-subtitles.ts';

type Format = Parameters<typeof parseSubtitles>[1];

/** Returns the cues of a file as times in milliseconds and text with tags. */
function read(source: string | Buffer, format: Format) {
  const { cues } = parseSubtitles(Buffer.from(source), format);
  return cues.map(({ start, end, text }) => {
    const written = writeSubtitles([{ start, end, text }], 'srt');
    return [start, end, written.split('\n').slice(2, -2).join('\n')];
  });
}

const srt = '1\n00:00:01,000 --> 00:00:02,500\nHello\nworld\n\n2\n00:00:03,000 --> 00:00:04,000\nBye\n';

describe('SubRip', () => {
  test('is read', () => {
    const cues = [
      [1000, 2500, 'Hello\nworld'],
      [3000, 4000, 'Bye'],
    ];
    expect(read(srt, 'srt')).toEqual(cues);
    expect(read(srt.replaceAll('\n', '\r\n'), 'srt')).toEqual(cues);
    expect(read(srt.replaceAll('\n', '\r'), 'srt')).toEqual(cues);
  });

  test.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufeff1\n00:01,000 --> 00:02,000\nGrüße', 'utf8')],
    ['UTF-16, little-endian', Buffer.from('\ufeff1\n00:01,000 --> 00:02,000\nGrüße', 'utf16le')],
    ['UTF-16, big-endian', Buffer.from('\ufeff1\n00:01,000 --> 00:02,000\nGrüße', 'utf16le').swap16()],
    ['Latin-1', Buffer.from('1\n00:01,000 --> 00:02,000\nGrüße', 'latin1')],
  ])('is read in %s', (_encoding, bytes) => {
    expect(read(bytes, 'srt')).toEqual([[1000, 2000, 'Grüße']]);
  });

  test('keeps empty lines inside a cue together, and numbers that are text', () => {
    const source =
      '1\n0:00:01,0 --> 0:00:02,0\na\n\nb\n42\n\n2\n0:00:03,0 --> 0:00:04,0\n\n3\n0:00:05,0 --> 0:00:06,0\n7\n';
    expect(read(source, 'srt')).toEqual([
      [1000, 2000, 'a\nb\n42'],
      [5000, 6000, '7'],
    ]);
  });

  test('keeps italic, bold and underlined text, and removes other markup', () => {
    const source =
      '00:00:01,000 --> 00:00:02,000\n{\\an8}<font color="red"><I>a</I></font> <b>b <u>c</b> d < e <3\0\u0007';
    expect(read(source, 'srt')).toEqual([[1000, 2000, '<i>a</i> <b>b <u>c</u></b> d < e <3\ufffd']]);
  });

  test('is sorted, and cues without an end are shown until the next one', () => {
    const source = '00:09,000 --> 00:09,000\nc\n\n00:01,000 --> 00:01,000\na\n\n00:02,000 --> 00:01,000\nb\n';
    expect(read(source, 'srt')).toEqual([
      [1000, 2000, 'a'],
      [2000, 7000, 'b'],
      [9000, 14_000, 'c'],
    ]);
  });
});

test('WebVTT is read without its header, comments, styles, settings and voices', () => {
  const source = `WEBVTT - title
Kind: captions

STYLE
::cue { color: red }

NOTE 00:00 is not a time

intro
00:01.000 --> 00:02.000 line:0 position:20%
<v Ann>Tom &amp; <i.loud>Jerry</i> &lt;3 &#x41;&nosuch;

01:00:00.000 --> 01:00:01.000
<c.yellow>a</c><00:00:01.500> b
`;
  expect(read(source, 'vtt')).toEqual([
    [1000, 2000, 'Tom & <i>Jerry</i> <3 A&nosuch;'],
    [3_600_000, 3_601_000, 'a b'],
  ]);
});

describe('rolling captions in WebVTT', () => {
  const cue = (from: string, to: string, ...lines: readonly string[]) => {
    return `00:00:${from} --> 00:00:${to} align:start position:0%\n${lines.join('\n')}\n\n`;
  };
  const spoken = ['hello<00:00:00.500><c> world</c>', 'yeah', 'yeah<00:00:04.500><c> &amp; more</c>'] as const;

  test('show each line once', () => {
    const source = [
      'WEBVTT\nKind: captions\nLanguage: en\n\n',
      cue('00.000', '02.000', ' ', spoken[0]),
      cue('02.000', '02.010', 'hello world', ' '),
      cue('02.010', '03.000', 'hello world', spoken[1]),
      cue('03.000', '03.010', 'yeah', ' '),
      cue('03.010', '04.000', 'yeah', 'yeah'),
      cue('04.000', '04.010', 'yeah', ' '),
      cue('04.010', '06.000', 'yeah', spoken[2]),
    ].join('');
    expect(read(source, 'vtt')).toEqual([
      [0, 2000, 'hello world'],
      [2010, 3000, 'yeah'],
      [3010, 4000, 'yeah'],
      [4010, 6000, 'yeah & more'],
    ]);
  });

  test('show a line that is spoken again after a pause', () => {
    const source = [
      'WEBVTT\n\n',
      cue('00.000', '02.000', ' ', '[Music]'),
      cue('02.000', '02.010', '[Music]', ' '),
      cue('08.000', '09.000', ' ', '[Music]'),
      cue('09.000', '09.010', '[Music]', ' '),
      cue('09.010', '10.000', '[Music]', spoken[0]),
    ].join('');
    expect(read(source, 'vtt')).toEqual([
      [0, 2000, '[Music]'],
      [8000, 9000, '[Music]'],
      [9010, 10_000, 'hello world'],
    ]);
  });

  test('are not assumed where lines repeat in other files', () => {
    const song = `WEBVTT\n\n${cue('01.000', '02.000', 'la<00:00:01.500> la')}${cue('02.000', '03.000', 'la la')}`;
    expect(read(song, 'vtt').map(([, , text]) => text)).toEqual(['la la', 'la la']);
  });
});

describe('json3', () => {
  const event = (tStartMs: number, dDurationMs: number, utf8: string, aAppend?: 1) => {
    return { tStartMs, dDurationMs, segs: [{ utf8 }], ...(aAppend === undefined ? {} : { aAppend }) };
  };

  test('is read, and its text has no markup', () => {
    const source = {
      events: [{ tStartMs: 0, dDurationMs: 9 }, event(1000, 500, '<i>a</i>'), event(1200, 900, 'b\nc')],
    };
    expect(read(JSON.stringify(source), 'json3')).toEqual([
      [1000, 1500, '<i>a</i>'],
      [1200, 2100, 'b\nc'],
    ]);
  });

  test('shows each line of rolling captions once', () => {
    const events = [
      event(0, 5000, 'one'),
      event(2000, 3000, '\n', 1),
      event(2000, 5000, 'two'),
      event(4000, 9, '\n', 1),
    ];
    expect(read(JSON.stringify({ events }), 'json3')).toEqual([
      [0, 2000, 'one'],
      [2000, 7000, 'two'],
    ]);
  });
});

test.each<[string, string, Format]>([
  ['an empty file', '', 'srt'],
  ['a web page', '<!doctype html><p>Sign in', 'vtt'],
  ['other JSON', '{"events":{"a":1}}', 'json3'],
  ['nested JSON', '['.repeat(1_000_000), 'json3'],
  ['times after the limit', '9999:00:00,000 --> 9999:00:01,000\na', 'srt'],
])('refuses %s', (_name, source, format) => {
  expect(() => parseSubtitles(Buffer.from(source), format)).toThrow('contain no');
});

test('refuses files and numbers of cues over the limits', () => {
  const cue = '00:01,0 --> 00:02,0\na\n\n';
  expect(parseSubtitles(Buffer.from(cue.repeat(subtitleLimits.cues)), 'srt').cues).toHaveLength(subtitleLimits.cues);
  expect(() => parseSubtitles(Buffer.from(cue.repeat(subtitleLimits.cues + 1)), 'srt')).toThrow(
    'more than 20,000 cues',
  );
  expect(() => parseSubtitles(Buffer.alloc(50_000_000, cue), 'srt')).toThrow('larger than 8 MB');
});

test('shortens long text, between characters', () => {
  const { cues, shortened } = parseSubtitles(Buffer.from(`00:01,0 --> 00:02,0\na${'😀'.repeat(3000)}`), 'srt');
  expect(shortened).toBe(1);
  const text = `${cues[0]?.text[0]}`;
  expect(text.length).toBeLessThanOrEqual(subtitleLimits.cueText);
  expect(text.isWellFormed()).toBe(true);
});

test('WebVTT is written with escaped characters, and styles are noticed', () => {
  const { cues } = parseSubtitles(Buffer.from('00:01,0 --> 00:02,0\n<i>a</i> & <3 -->'), 'srt');
  expect(hasStyle(cues)).toBe(true);
  expect(writeSubtitles(cues, 'vtt')).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<i>a</i> &amp; &lt;3 --&gt;\n\n');
});
