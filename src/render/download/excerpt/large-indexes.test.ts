/** @module-tag long */

import { describe, expect, test } from 'vitest';
import { FastPathDeclined } from '../../engine/binary/fast-path-declined.ts';
import { box, fullBox, u16, u32, u64 } from '../../engine/mp4/box-writer.ts';
import { ExcerptDeclined } from './media-index.ts';
import { planWith } from './testing/plan-from-bytes.ts';

/** Size of the files, of which only the index exists. */
const size = 2 ** 40;
/** Offset of the media, after the index. */
const mediaOffset = 2 ** 30;

/** Plans a clip of a file with this beginning. Returns how often the planning paused, and the plan if there is one. */
function plan(head: Buffer, clip: { readonly start: number; readonly end?: number }) {
  const counts = { indexBytes: 0, pauses: 0 };
  const read = (from: number, end: number) => Buffer.concat([head.subarray(from, end)], end - from);
  try {
    return { counts, plan: planWith(read, size, clip, counts) };
  } catch (error) {
    if (error instanceof ExcerptDeclined || error instanceof FastPathDeclined) return { counts, reason: error.message };
    throw error;
  }
}

/** Builds a table of big-endian numbers. */
function table(rows: number, row: (at: number) => readonly number[]): Buffer {
  return Buffer.concat(Array.from({ length: rows }, (_, at) => u32(...row(at))));
}

const fileType = box('ftyp', Buffer.from('isom\0\0\0\0isom'));

function movie(...contents: readonly Buffer[]): Buffer {
  const moov = box('moov', fullBox('mvhd', 0, 0, u32(0, 0, 1000, 0), Buffer.alloc(80)), ...contents);
  const rest = size - fileType.length - moov.length;
  return Buffer.concat([fileType, moov, u32(1), Buffer.from('mdat'), u64(rest)]);
}

function track(id: number, handler: string, timescale: number, sampleTable: readonly Buffer[]): Buffer {
  const description = fullBox('stsd', 0, 0, u32(1), box('none', Buffer.alloc(78)));
  const source = box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1)));
  return box(
    'trak',
    fullBox('tkhd', 0, 7, u32(0, 0, id, 0, 0), Buffer.alloc(60)),
    box(
      'mdia',
      fullBox('mdhd', 0, 0, u32(0, 0, timescale, 0), u16(0x55c4, 0)),
      fullBox('hdlr', 0, 0, u32(0), Buffer.from(handler), Buffer.alloc(13)),
      box('minf', source, box('stbl', description, ...sampleTable)),
    ),
  );
}

/** Builds a sample table of samples of 100 bytes in one chunk, which can all be decoded independently. */
function evenTable(count: number, duration: number, chunk: number): Buffer[] {
  return [
    fullBox('stts', 0, 0, u32(1, count, duration)),
    fullBox('stsz', 0, 0, u32(100, count)),
    fullBox('stsc', 0, 0, u32(1, 1, count, 1)),
    fullBox('stco', 0, 0, u32(1, chunk)),
  ];
}

/** Builds a sample table of which every box has an entry for each sample. */
function unevenTable(count: number): Buffer[] {
  return [
    fullBox(
      'stts',
      0,
      0,
      u32(count),
      table(count, (at) => [1, 900 + (at % 7)]),
    ),
    fullBox(
      'ctts',
      0,
      0,
      u32(count),
      table(count, (at) => [1, (at * 7919) % 5000]),
    ),
    fullBox(
      'stss',
      0,
      0,
      u32(count),
      table(count, (at) => [at + 1]),
    ),
    fullBox(
      'stsz',
      0,
      0,
      u32(0, count),
      table(count, (at) => [900 + (at % 128)]),
    ),
    fullBox('stsc', 0, 0, u32(1, 1, 1, 1)),
    fullBox(
      'stco',
      0,
      0,
      u32(count),
      table(count, (at) => [mediaOffset + ((at * 7919) % count) * 2000]),
    ),
  ];
}

/** Builds an EBML element. */
function element(id: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length = u64(body.length);
  length[0] = 1;
  return Buffer.concat([Buffer.from(id, 'hex'), length, body]);
}

/** Builds the beginning of a Matroska file. */
function matroska(cues: readonly Buffer[]): Buffer {
  const video = element('ae', Buffer.from('d78101838101', 'hex'));
  const block = element('a3', Buffer.from('8100008000', 'hex'));
  return Buffer.concat([
    element('1a45dfa3'),
    Buffer.from('1853806701ffffffffffffff', 'hex'),
    element('1549a966'),
    element('1654ae6b', video),
    element('1c53bb6b', ...cues),
    element('1f43b675', Buffer.from('e78100', 'hex'), block),
  ]);
}

describe('a large index', () => {
  test('of a film of ten hours at 60 frames per second with two audio tracks is planned', () => {
    const [frames, packets] = [10 * 3600 * 60, (10 * 3600 * 48_000) / 1024];
    const head = movie(
      track(1, 'vide', 60_000, evenTable(frames, 1000, mediaOffset)),
      track(2, 'soun', 48_000, evenTable(packets, 1024, mediaOffset + 100 * frames)),
      track(3, 'soun', 48_000, evenTable(packets, 1024, mediaOffset + 100 * (frames + packets))),
    );
    const { plan: planned, counts } = plan(head, { start: 20_000, end: 20_030 });
    expect(planned?.index.duration).toBeCloseTo(36_000, 1);
    expect(planned?.excerpt.start).toBeCloseTo(20_000, 1);
    expect(planned?.excerpt.parts).toContainEqual(expect.objectContaining({ from: mediaOffset + 100 * 20_000 * 60 }));
    // Its samples are read in blocks of a few milliseconds.
    expect(counts.pauses).toBeGreaterThan((frames + 2 * packets) / 65_536);
  });

  test.each([
    ['whose samples all differ', movie(track(1, 'vide', 60_000, unevenTable(200_000))), 7 * 3],
    ['of cues with many positions', matroska(longCues(400, 250)), (400 * 250 * 3) / 10_000],
  ])('%s is planned in steps', (_what, head, pauses) => {
    const { plan: planned, counts } = plan(head, { start: 0 });
    expect(planned).toBeDefined();
    expect(counts.pauses).toBeGreaterThan(pauses);
  });

  test('that lists fragments is planned in steps', () => {
    const references = table(65_535, () => [100, 1, 0x9000_0000]);
    const index = fullBox('sidx', 0, 0, u32(2, 1000, 0, 0), u16(0, 65_535), references);
    const head = fragmentedMovie(...Array.from({ length: 20 }, () => index));
    expect(plan(head, { start: 0 }).counts.pauses).toBeGreaterThanOrEqual(20);
  });

  test.each([
    [
      'more samples in the clip than are planned',
      movie(track(1, 'vide', 60_000, evenTable(1_100_000, 1000, mediaOffset))),
    ],
    ['a track with too many samples', movie(track(1, 'vide', 60_000, evenTable(2_600_000, 1000, mediaOffset)))],
    [
      'too many samples',
      movie(...[1, 2, 3].map((id) => track(id, 'vide', 60_000, evenTable(2_400_000, 1000, mediaOffset)))),
    ],
    ['too many boxes in one box', movie(...Array.from({ length: 300 }, () => box('free')))],
    ['too many elements in one element', matroska(longCues(1, 300))],
    ['too many fields in a position', matroska([element('bb', element('b7', Buffer.from('ec80'.repeat(20), 'hex')))])],
    ['too many cues', matroska(longCues(700, 250))],
    ['too many parts', fragmentedMovie(...nestedIndexes())],
  ])('with %s is declined', (_what, head) => {
    expect(plan(head, { start: 0 }).reason).toMatch(/too (many|large)/);
  });
});

/** Builds cues at the first cluster, which begins beyond 64 KiB. */
function longCues(points: number, positions: number): Buffer[] {
  const position = Buffer.from('b789f78101f18400ffffff', 'hex');
  return Array.from({ length: points }, () => {
    return element('bb', Buffer.from('b38101', 'hex'), ...Array.from({ length: positions }, () => position));
  });
}

function fragmentedMovie(...boxes: readonly Buffer[]): Buffer {
  const emptyTable = [fullBox('stsz', 0, 0, u32(0, 0))];
  const extension = box('mvex', fullBox('trex', 0, 0, u32(1, 1, 0, 0, 0)));
  const head = movie(extension, track(1, 'vide', 1000, emptyTable));
  return Buffer.concat([head.subarray(0, -16), ...boxes]);
}

/** Builds an index of two indexes that list more parts than are read. */
function nestedIndexes(): Buffer[] {
  const references = table(65_535, () => [1, 1, 0x9000_0000]);
  const inner = fullBox('sidx', 0, 0, u32(1, 1000, 0, 0), u16(0, 65_535), references);
  const length = inner.length + 65_535;
  const reference = u32(0x8000_0000 + length, 65_535, 0x9000_0000);
  const last = u32(0x8000_0000 + length, 65_535, 0x9000_0000);
  const outer = fullBox('sidx', 0, 0, u32(1, 1000, 0, 0), u16(0, 2), reference, last);
  return [outer, inner, Buffer.alloc(65_535), inner];
}
