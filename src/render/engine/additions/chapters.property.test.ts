import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import type { ByteSource } from '../binary/byte-source.ts';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { type Chapter, normalizeChapters } from '../chapters/chapter.ts';
import { readFlacChapters } from '../chapters/flac-chapters.ts';
import { readId3Chapters } from '../chapters/id3-reader.ts';
import { chapterFrames } from '../chapters/id3-writer.ts';
import { readMatroskaChapters } from '../chapters/matroska-reader.ts';
import { chaptersElement } from '../chapters/matroska-writer.ts';
import { chapterComments, parseChapterComments, readOggChapters } from '../chapters/vorbis-chapters.ts';
import { readMp4Chapters } from '../mp4/additions/chapter-reader.ts';
import { chapterSamples } from '../mp4/additions/chapter-track.ts';
import { movieWithAdditions } from '../mp4/additions/movie-additions.ts';
import { box, fullBox, latin1, u32 } from '../mp4/box-writer.ts';
import { cueSheetBlock } from '../testing/cue-sheet-block.ts';

function source(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

/** Chapters at whole milliseconds, which all containers can represent. */
const chapters = fc
  .array(
    fc.record({
      start: fc.nat(100_000_000).map((ms) => ms / 1000),
      title: fc.string({ unit: 'binary', maxLength: 80 }),
    }),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map(normalizeChapters);

function inMatroska(list: readonly Chapter[]): Buffer {
  // A segment without a declared size.
  return Buffer.concat([Buffer.from('1a45dfa38018538067ff', 'hex'), chaptersElement(list, 2e5)]);
}

function inMp4(list: readonly Chapter[], timescale = 1000): Buffer {
  const handler = fullBox('hdlr', 0, 0, u32(0), latin1('vide'));
  const track = box('trak', fullBox('tkhd', 0, 0, u32(0, 0, 1)), box('mdia', handler, box('minf', box('stbl'))));
  const movie = Buffer.concat([fullBox('mvhd', 0, 0, u32(0, 0, timescale, 0, 2)), track]);
  const samples = chapterSamples(list);
  const plan = {
    additions: { tags: {}, chapters: list },
    end: 2e5,
    samples,
    mediaShift: 0,
    samplesOffset: 8,
    large: false,
  };
  return Buffer.concat([box('mdat', ...samples), box('moov', movieWithAdditions(movie, plan))]);
}

/** A long file with a fine clock. */
function inLongMp4(list: readonly Chapter[]): Buffer {
  return inMp4(list, 90_000);
}

function inId3(list: readonly Chapter[]): Buffer {
  const frames = chapterFrames(list, 2e5);
  const size = Buffer.from([21, 14, 7, 0].map((bits) => (frames.length >> bits) & 0x7f));
  return Buffer.concat([latin1('ID3'), Buffer.of(4, 0, 0), size, frames]);
}

function comments(list: readonly Chapter[]): Buffer {
  const entries = chapterComments(list).map(([key, value]) => Buffer.from(`${key}=${value}`));
  const little = (value: number) => u32(value).reverse();
  const parts = entries.flatMap((entry) => [little(entry.length), entry]);
  return Buffer.concat([little(0), little(entries.length), ...parts]);
}

function inFlac(list: readonly Chapter[]): Buffer {
  const body = comments(list);
  return Buffer.concat([latin1('fLaC'), u32(0x8400_0000 + body.length), body]);
}

function inOgg(list: readonly Chapter[]): Buffer {
  const head = (flags: number) => Buffer.concat([latin1('OggS'), Buffer.of(0, flags), Buffer.alloc(20)]);
  const packet = Buffer.concat([latin1('OpusTags'), comments(list.slice(0, 5))]);
  const sizes = [...Array<number>(Math.floor(packet.length / 255)).fill(255), packet.length % 255];
  return Buffer.concat([head(2), Buffer.of(1, 0), head(0), Buffer.of(sizes.length, ...sizes), packet]);
}

/** A file whose only chapters are the tracks of a cue sheet, at 1000 Hz. */
function inCueSheet(list: readonly Chapter[]): Buffer {
  const info = Buffer.alloc(34);
  info.writeUIntBE(1000 << 4, 10, 3);
  const sheet = cueSheetBlock(list.map(({ start }, at) => ({ number: at + 1, offset: Math.round(start * 1000) })));
  return Buffer.concat([latin1('fLaC'), u32(info.length), info, u32(0x8500_0000 + sheet.length), sheet]);
}

const seed = { seed: 5, numRuns: propertyRuns(300) };

describe('a write and read round trip', () => {
  it.each<[string, (list: readonly Chapter[]) => Chapter[]]>([
    ['Matroska', (list) => readMatroskaChapters(source(inMatroska(list)))],
    ['MP4', (list) => readMp4Chapters(source(inMp4(list)))],
    ['a long MP4', (list) => readMp4Chapters(source(inLongMp4(list)))],
    ['ID3', (list) => readId3Chapters(source(inId3(list)))],
    ['Vorbis comments', (list) => parseChapterComments(comments(list))],
  ])('preserves chapters in %s', (_name, through) => {
    fc.assert(
      fc.property(chapters, (list) => {
        const result = normalizeChapters(through(list));
        expect(result.map(({ title }) => title)).toEqual(list.map(({ title }) => title));
        result.forEach(({ start }, at) => {
          expect(start).toBeCloseTo(list[at]?.start ?? -1, 6);
        });
      }),
      seed,
    );
  });
});

describe('damaged files', () => {
  it.each<[string, (list: readonly Chapter[]) => Buffer, (source: ByteSource) => Chapter[]]>([
    ['Matroska', inMatroska, readMatroskaChapters],
    ['MP4', (list) => inMp4(list), readMp4Chapters],
    ['ID3', inId3, readId3Chapters],
    ['FLAC', inFlac, readFlacChapters],
    ['a cue sheet', inCueSheet, readFlacChapters],
    ['Ogg', inOgg, readOggChapters],
  ])('are read or declined without any other error: %s', (_name, make, read) => {
    const damage = fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(chapters, damage, fc.nat(200), (list, changes, cut) => {
        const bytes = make(list);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        try {
          const result = normalizeChapters(read(source(bytes.subarray(0, bytes.length - (cut > 100 ? cut : 0)))));
          for (const { start } of result) expect(start).toBeGreaterThanOrEqual(0);
        } catch (error) {
          expect(error).toBeInstanceOf(FastPathDeclined);
        }
      }),
      { seed: 6, numRuns: propertyRuns(1000) },
    );
  });
});
