import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../binary/byte-source.ts';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { readFlacChapters } from '../chapters/flac-chapters.ts';
import { readId3Chapters } from '../chapters/id3-reader.ts';
import { readMatroskaChapters } from '../chapters/matroska-reader.ts';
import { readOggChapters } from '../chapters/vorbis-chapters.ts';
import { readMp4Chapters } from '../mp4/additions/chapter-reader.ts';
import { box, fullBox, latin1, u16, u32, u64 } from '../mp4/box-writer.ts';

function source(...parts: readonly Buffer[]): ByteSource {
  const bytes = Buffer.concat(parts);
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

describe('readMatroskaChapters', () => {
  /** An element with a two-byte size field. */
  const element = (id: string, ...parts: readonly Buffer[]) => {
    const body = Buffer.concat(parts);
    return Buffer.concat([Buffer.from(id, 'hex'), u16(0x4000 + body.length), body]);
  };
  const atom = (nanoseconds: number, title: string, ...more: readonly Buffer[]) =>
    element('b6', element('91', u64(nanoseconds)), element('80', element('85', Buffer.from(title))), ...more);
  const file = (...parts: readonly Buffer[]) => source(element('1a45dfa3'), element('18538067', ...parts));
  const edition = (...parts: readonly Buffer[]) => element('45b9', ...parts);

  it('returns the visible chapters of the top level', () => {
    const nestedElement = atom(3e9, 'Nested');
    const hidden = element('98', Buffer.of(1));
    const disabled = element('4598', Buffer.of(0));
    const list = edition(
      atom(1_500_000_000, 'Zwei\0\0', nestedElement),
      atom(0, 'One'),
      atom(2e9, 'Hidden', hidden),
      atom(2e9, 'Off', disabled),
      element('b6'),
    );
    expect(readMatroskaChapters(file(element('ec', u32(0)), element('1043a770', list)))).toEqual([
      { start: 1.5, title: 'Zwei' },
      { start: 0, title: 'One' },
      { start: 0, title: '' },
    ]);
  });

  it('finds chapters after the media', () => {
    expect(
      readMatroskaChapters(file(element('1f43b675', Buffer.alloc(3000)), element('1043a770', edition(atom(0, 'A'))))),
    ).toEqual([{ start: 0, title: 'A' }]);
  });

  it('uses the default edition, or else the first that is not hidden', () => {
    const [standard, hidden] = [element('45db', Buffer.of(1)), element('45bd', Buffer.of(1))];
    const titles = (...editions: readonly Buffer[]) =>
      readMatroskaChapters(file(element('1043a770', ...editions))).map(({ title }) => title);
    expect(titles(edition(atom(0, 'A')), edition(standard, atom(0, 'B')))).toEqual(['B']);
    expect(titles(edition(hidden, atom(0, 'A')), edition(atom(0, 'B')), edition(atom(0, 'C')))).toEqual(['B']);
    expect(titles()).toEqual([]);
  });

  it('declines damaged Matroska chapters, and returns none for live recordings and other files', () => {
    expect(() => readMatroskaChapters(file(element('1043a770', Buffer.of(0xb6, 0x88, 1))))).toThrow(FastPathDeclined);
    expect(readMatroskaChapters(source(element('1a45dfa3'), Buffer.from('18538067ff1f43b675ff', 'hex')))).toEqual([]);
    expect(readMatroskaChapters(source(Buffer.from('RIFF')))).toEqual([]);
  });
});

describe('readMp4Chapters', () => {
  const nero = fullBox(
    'chpl',
    1,
    0,
    u32(0),
    Buffer.of(2),
    u64(0),
    Buffer.of(3),
    latin1('One'),
    u64(25_000_000),
    Buffer.of(0),
  );
  const track = (id: number, handler: string, table: readonly Buffer[], more: readonly Buffer[] = []) =>
    box(
      'trak',
      fullBox('tkhd', 0, 0, u32(0, 0, id)),
      ...more,
      box(
        'mdia',
        fullBox('mdhd', 0, 0, u32(0, 0, 500, 0), u16(0, 0)),
        fullBox('hdlr', 0, 0, u32(0), latin1(handler)),
        box('minf', box('stbl', ...table)),
      ),
    );
  const refers = (id: number) => [box('tref', box('chap', u32(id)))];
  const header = fullBox('mvhd', 0, 0, u32(0, 0, 1000));
  const samples = [
    Buffer.concat([u16(4), Buffer.from('Été'.slice(0, 2)), latin1('X')]),
    Buffer.concat([u16(6), Buffer.from('\ufeffHi', 'utf16le')]),
  ];
  const table = (first: number) => [
    fullBox('stsd', 0, 0, u32(0)),
    fullBox('stts', 0, 0, u32(1, 2, 1000)),
    fullBox('stsc', 0, 0, u32(1, 1, 2, 1)),
    fullBox('stsz', 0, 0, u32(0, 2), u32(...samples.map(({ length }) => length))),
    fullBox('stco', 0, 0, u32(1, first)),
  ];
  const media = box('mdat', ...samples);

  it('reads both versions of Nero’s list', () => {
    const expected = [
      { start: 0, title: 'One' },
      { start: 2.5, title: '' },
    ];
    expect(readMp4Chapters(source(box('moov', header, box('udta', nero))))).toEqual(expected);
    const old = fullBox('chpl', 0, 0, nero.subarray(16));
    expect(readMp4Chapters(source(box('free'), box('moov', header, box('udta', old, u32(0)))))).toEqual(expected);
  });

  it('prefers a referenced chapter track, and applies its start delay', () => {
    const edits = box('edts', fullBox('elst', 0, 0, u32(2, 500, 0xffff_ffff, 0x1_0000, 4000, 0, 0x1_0000)));
    const movie = box(
      'moov',
      header,
      track(1, 'vide', [], refers(2)),
      track(2, 'text', table(8), [edits]),
      box('udta', nero),
    );
    expect(readMp4Chapters(source(media, movie))).toEqual([
      { start: 0.5, title: 'ÉtX' },
      { start: 2.5, title: 'Hi' },
    ]);
  });

  it('ignores image tracks and references to missing tracks', () => {
    const movie = box('moov', header, track(1, 'vide', [], refers(2)), track(2, 'vide', []), box('udta', nero));
    expect(readMp4Chapters(source(movie))).toHaveLength(2);
    expect(readMp4Chapters(source(box('moov', header, track(1, 'vide', [], refers(9)))))).toEqual([]);
  });

  it('declines damaged MP4 chapters, but never files without chapters', () => {
    expect(() => readMp4Chapters(source(box('moov', header, box('udta', box('chpl', u32(0))))))).toThrow(
      FastPathDeclined,
    );
    expect(readMp4Chapters(source(box('moov', u32(77))))).toEqual([]);
    expect(readMp4Chapters(source(box('mdat')))).toEqual([]);
  });
});

/** Vorbis comments. */
function comments(...list: readonly string[]): Buffer {
  const little = (value: number) => u32(value).reverse();
  const entry = (each: string) => Buffer.concat([little(Buffer.byteLength(each)), Buffer.from(each)]);
  return Buffer.concat([entry('maker'), little(list.length), ...list.map(entry)]);
}

const taggedFile = comments(
  'TITLE=T',
  'CHAPTER001=00:01:02.500',
  'chapter001name=Zwei',
  'CHAPTER000=0:0:0',
  'CHAPTER2=x',
  'CHAPTER002=x',
);
const markedChapters = [
  { start: 62.5, title: 'Zwei' },
  { start: 0, title: '' },
];

describe('readOggChapters', () => {
  /** A page of one stream. If `open`, its last packet continues on a later page. */
  const page = (serial: number, flags: number, packets: readonly Buffer[], open = false) => {
    const sizes = packets.flatMap(({ length }, at) => {
      const last = open && at === packets.length - 1;
      return [...Array<number>(Math.floor(length / 255)).fill(255), ...(last ? [] : [length % 255])];
    });
    return Buffer.concat([
      latin1('OggS'),
      Buffer.of(0, flags),
      u64(0),
      u32(serial).reverse(),
      u64(0),
      Buffer.of(sizes.length, ...sizes),
      ...packets,
    ]);
  };
  const first = page(7, 2, [latin1('OpusHead')]);

  it('finds comments of every codec', () => {
    for (const mark of ['OpusTags', '\x03vorbis', '\x81theora', '\x84\0\0\0']) {
      expect(readOggChapters(source(first, page(7, 0, [Buffer.concat([latin1(mark), taggedFile])])))).toEqual(
        markedChapters,
      );
    }
  });

  it('reassembles packets that span pages and are interleaved with other streams', () => {
    const packet = Buffer.concat([
      latin1('OpusTags'),
      comments('PICTURE='.padEnd(600, 'x'), 'CHAPTER000=00:00:01.000'),
    ]);
    const rest = page(7, 1, [packet.subarray(510)]);
    const other = page(9, 0, [latin1('nothing')]);
    const file = source(page(9, 2, [latin1('Other')]), first, page(7, 0, [packet.subarray(0, 510)], true), other, rest);
    expect(readOggChapters(file)).toEqual([{ start: 1, title: '' }]);
  });

  it('declines truncated comments', () => {
    const file = source(first, page(7, 0, [Buffer.concat([latin1('OpusTags'), taggedFile.subarray(0, 40)])]));
    expect(() => readOggChapters(file)).toThrow(FastPathDeclined);
    expect(readOggChapters(source(first))).toEqual([]);
  });
});

describe('readFlacChapters', () => {
  const block = (kind: number, body: Buffer) => Buffer.concat([Buffer.of(kind, 0, 0, body.length), body]);

  it('reads the comment block', () => {
    expect(readFlacChapters(source(latin1('fLaC'), block(0, Buffer.alloc(34)), block(0x84, taggedFile)))).toEqual(
      markedChapters,
    );
    expect(readFlacChapters(source(latin1('fLaC'), block(0x80, Buffer.alloc(34)), block(4, taggedFile)))).toEqual([]);
    expect(readFlacChapters(source(latin1('fLaC')))).toEqual([]);
  });
});

describe('readId3Chapters', () => {
  const sizeOf = (bytes: number) => Buffer.of(0, (bytes >> 14) & 0x7f, (bytes >> 7) & 0x7f, bytes & 0x7f);
  const frame = (id: string, body: Buffer, flags = 0) =>
    Buffer.concat([latin1(id), sizeOf(body.length), u16(flags), body]);
  const chapter = (start: number, ...frames: readonly Buffer[]) =>
    Buffer.concat([latin1('c\0'), u32(start, start + 1, 0xffff_ffff, 0xffff_ffff), ...frames]);
  const tag = (version: number, flags: number, body: Buffer) =>
    source(latin1('ID3'), Buffer.of(version, 0, flags), sizeOf(body.length), body, Buffer.alloc(100));
  const title = (encoding: number, name: Buffer) => frame('TIT2', Buffer.concat([Buffer.of(encoding), name]));

  it('reads chapter titles in every encoding', () => {
    const body = Buffer.concat([
      frame('TIT2', latin1('\0Not a chapter')),
      frame('CHAP', chapter(0, title(3, Buffer.from('日本\0')))),
      frame('CHAP', chapter(1500, title(0, latin1('\xe9t\xe9')))),
      frame('CHAP', chapter(2000, frame('WXXX', u32(0)), title(1, Buffer.from('\ufeffЖ', 'utf16le')))),
      frame('CHAP', chapter(3000, title(2, Buffer.of(0, 0x41)))),
      frame('CHAP', chapter(4000)),
      Buffer.alloc(20),
    ]);
    const chapters = readId3Chapters(tag(4, 0, body));
    expect(chapters.map(({ start }) => start)).toEqual([0, 1.5, 2, 3, 4]);
    expect(chapters.map(({ title: name }) => name)).toEqual(['日本', 'été', 'Ж', 'A', '']);
  });

  it('reverses the unsynchronization of a tag', () => {
    const unsynchronizedTag = Buffer.from(chapter(0).toString('hex').replaceAll('ff', 'ff00'), 'hex');
    expect(readId3Chapters(tag(4, 0, frame('CHAP', unsynchronizedTag, 2)))).toEqual([{ start: 0, title: '' }]);
    const old = Buffer.concat([latin1('CHAP'), u32(chapter(0).length), u16(0)]);
    expect(readId3Chapters(tag(3, 0x80, Buffer.concat([old, unsynchronizedTag])))).toEqual([{ start: 0, title: '' }]);
  });

  it('skips extended headers, and compressed or encrypted frames', () => {
    const body = Buffer.concat([sizeOf(6), u16(0), frame('CHAP', chapter(0), 8), frame('CHAP', chapter(7000))]);
    expect(readId3Chapters(tag(4, 0x40, body))).toEqual([{ start: 7, title: '' }]);
  });

  it('declines damaged ID3 chapters, and returns none without a tag', () => {
    expect(() => readId3Chapters(tag(4, 0, frame('CHAP', latin1('c\0abc'))))).toThrow(FastPathDeclined);
    expect(readId3Chapters(tag(2, 0, frame('CHAP', chapter(0))))).toEqual([]);
    expect(readId3Chapters(source(latin1('\xff\xfb')))).toEqual([]);
  });
});
