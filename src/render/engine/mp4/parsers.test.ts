import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { bufferSource } from '../testing/make-dash.ts';
import { testTrack } from '../testing/mp4-tracks.ts';
import { childBoxes, readHeadBoxes, readTopBoxes } from './box-reader.ts';
import { box, fullBox, latin1, u16, u32, u64 } from './box-writer.ts';
import { readMovieHead } from './movie-reader.ts';
import { requireNoMetadata } from './require-no-metadata.ts';
import { readSampleEntry } from './sample-entry.ts';
import { readSampleTable } from './sample-table-reader.ts';
import { readSegmentIndex } from './segment-index.ts';
import { readTrack } from './track-reader.ts';

describe('MP4 boxes', () => {
  it('are read if they fill a file exactly', () => {
    const file = Buffer.concat([
      box('ftyp', u32(1)),
      Buffer.concat([u32(1), latin1('mdat'), u64(20), u32(7)]),
      u32(0),
      latin1('free'),
    ]);
    const places = readTopBoxes(bufferSource(file)).map(({ type, offset, end, headerBytes }) => [
      type,
      offset,
      end,
      headerBytes,
    ]);
    expect(places).toEqual([
      ['ftyp', 0, 12, 8],
      ['mdat', 12, 32, 16],
      ['free', 32, 40, 8],
    ]);
  });

  it.each([
    ['too large', Buffer.concat([u32(100), latin1('moov')])],
    ['too small', Buffer.concat([u32(7), latin1('moov')])],
    ['truncated in the header', u32(8)],
    ['larger than any file', Buffer.concat([u32(1), latin1('mdat'), Buffer.alloc(8, 0xff)])],
  ])('are declined if %s', (_what, bytes) => {
    expect(() => readTopBoxes(bufferSource(bytes))).toThrow(FastPathDeclined);
    expect(() => childBoxes(bytes)).toThrow(FastPathDeclined);
  });

  it('are read from a head if they are complete', () => {
    const file = Buffer.concat([box('ftyp', u32(1)), box('moov', Buffer.alloc(50))]);
    expect(readHeadBoxes(file.subarray(0, 40), file.length).map(({ type }) => type)).toEqual(['ftyp']);
    expect(readHeadBoxes(file, file.length).map(({ type }) => type)).toEqual(['ftyp', 'moov']);
  });
});

describe('a segment index', () => {
  const index = (count: number, ...entries: readonly number[]) => {
    return Buffer.concat([u32(0, 1, 1000, 0, 4), u16(0, count), u32(...entries)]);
  };

  it('lists the offsets and durations of segments', () => {
    expect(readSegmentIndex(index(2, 100, 2000, 0x9000_0000, 50, 500, 0), 1000)).toEqual({
      trackId: 1,
      start: 0,
      flat: true,
      references: [
        { from: 1004, to: 1104, duration: 2, isIndex: false, startsAtSync: true },
        { from: 1104, to: 1154, duration: 0.5, isIndex: false, startsAtSync: false },
      ],
    });
    expect(readSegmentIndex(index(1, 0x8000_0064, 2000, 0), 1000)).toMatchObject({ flat: false });
  });

  it('is declined if it ends early or has no timescale', () => {
    expect(() => readSegmentIndex(index(2, 100, 2000, 0), 0)).toThrow(FastPathDeclined);
    expect(() => readSegmentIndex(Buffer.alloc(24), 0)).toThrow(FastPathDeclined);
  });
});

describe('a sample entry', () => {
  const video = testTrack('video').description;
  const body = childBoxes(video)[0]?.body ?? Buffer.alloc(0);
  const entry = childBoxes(body.subarray(8))[0]?.bytes ?? Buffer.alloc(0);
  const description = (...entries: readonly Buffer[]) => Buffer.concat([u32(0, entries.length), ...entries]);

  /** Builds an `mp4a` entry with the given object type and decoder configuration. */
  function sound(objectType: number, config: readonly number[], version = 0, rate = 44_100): Buffer {
    const setup = [3, 0x80, 0x80, 0x80, 20 + config.length, 0, 1, 0, 4, 15 + config.length, objectType];
    const esds = fullBox('esds', 0, 0, Buffer.from([...setup, ...Array(12).fill(0), 5, config.length, ...config]));
    return description(box('mp4a', u32(0), u16(0, 1, version), Buffer.alloc(14), u16(rate, 0), esds));
  }

  it('has the same codec name as in the engine', () => {
    expect(readSampleEntry(body, 'vide')).toEqual({ kind: 'video', codec: 'h264' });
    expect(readSampleEntry(sound(0x40, [0x12, 0x10]), 'soun')).toEqual({ kind: 'audio', codec: 'aac' });
  });

  it.each([
    ['several entries', description(entry, entry), 'vide'],
    ['an entry of another kind of track', body, 'soun'],
    ['encryption', description(box('avc1', entry.subarray(8), box('sinf'))), 'vide'],
    ['no decoder configuration', description(box('avc1', entry.subarray(8, 86))), 'vide'],
    ['an empty decoder configuration', description(box('avc1', entry.subarray(8, 86), box('avcC'))), 'vide'],
    [
      'a decoder configuration that is too short',
      description(box('vp09', entry.subarray(8, 86), fullBox('vpcC', 1, 0))),
      'vide',
    ],
    [
      'media in another file',
      description(Buffer.concat([entry.subarray(0, 15), Buffer.from([2]), entry.subarray(16)])),
      'vide',
    ],
    ['MP3', sound(0x6b, [0x12, 0x10]), 'soun'],
    ['lossless MPEG-4 audio', sound(0x40, [0xf8, 0x10]), 'soun'],
    ['audio in the QuickTime format', sound(0x40, [0x12, 0x10], 1), 'soun'],
    ['no sample rate', sound(0x40, [0x12, 0x10], 0, 0), 'soun'],
    ['no size', description(Buffer.from(entry).fill(0, 32, 36)), 'vide'],
    ['none', description(), 'vide'],
  ])('is declined with %s', (_what, bytes, handler) => {
    expect(() => readSampleEntry(bytes, handler)).toThrow(FastPathDeclined);
  });
});

describe('metadata', () => {
  const meta = (...tags: readonly Buffer[]) => fullBox('meta', 0, 0, fullBox('hdlr', 0, 0), box('ilst', ...tags));

  it('is ignored if it only names the program that wrote the file', () => {
    expect(() => requireNoMetadata(meta(box('\xa9too', u32(0))))).not.toThrow();
    expect(() => requireNoMetadata(undefined)).not.toThrow();
  });

  it.each([
    ['a title', meta(box('\xa9nam'))],
    ['a cover', meta(box('covr'))],
    ['chapters', box('chpl')],
  ])('is declined with %s', (_what, bytes) => {
    expect(() => requireNoMetadata(bytes)).toThrow(FastPathDeclined);
  });
});

describe('arbitrary bytes', () => {
  const types = [
    'trak',
    'tkhd',
    'mdia',
    'mdhd',
    'stts',
    'stsz',
    'stsc',
    'stco',
    'ctts',
    'stss',
    'edts',
    'elst',
    'mvhd',
  ];
  /** Boxes with arbitrary content, or with nested boxes of arbitrary content. */
  const contents = fc.letrec<{ boxes: Buffer; one: Buffer }>((tie) => ({
    one: fc
      .tuple(
        fc.constantFrom(...types),
        fc.oneof({ depthSize: 'small' }, fc.uint8Array({ maxLength: 60 }), tie('boxes')),
      )
      .map(([type, inside]) => box(type, Buffer.from(inside))),
    boxes: fc.array(tie('one'), { maxLength: 6 }).map((boxes) => Buffer.concat(boxes)),
  })).boxes;
  const bytes = fc.oneof(
    contents,
    fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some)),
  );

  it.each<[string, (body: Buffer) => unknown]>([
    ['an index', readMovieHead],
    ['a track', (body) => readTrack(body, 1000)],
    ['a sample table', (body) => readSampleTable(childBoxes(body), false, 1000)],
    ['a sample entry', (body) => readSampleEntry(body, 'soun')],
    ['a segment index', (body) => readSegmentIndex(body, 1000)],
    ['a file', (body) => readTopBoxes(bufferSource(body))],
    ['metadata', requireNoMetadata],
  ])('are read or declined as %s', (_what, parse) => {
    fc.assert(
      fc.property(bytes, (body) => {
        try {
          parse(body);
        } catch (error) {
          expect(error).toBeInstanceOf(FastPathDeclined);
        }
      }),
      { seed: 5, numRuns: propertyRuns(400) },
    );
  });
});
