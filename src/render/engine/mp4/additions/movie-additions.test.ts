import { describe, expect, it } from 'vitest';
import { childBoxes, requiredBox } from '../box-reader.ts';
import { box, fullBox, latin1, u32, u64 } from '../box-writer.ts';
import { chapterSamples, truncateUtf8 } from './chapter-track.ts';
import { movieWithAdditions } from './movie-additions.ts';

const chapters = Array.from({ length: 300 }, (_, at) => ({ start: at, title: 'ä'.repeat(200) }));
const samples = chapterSamples(chapters);

function track(id: number, handler: string, positions: Buffer, ...more: readonly Buffer[]): Buffer {
  const table = box('stbl', fullBox('stsd', 0, 0, u32(0)), positions);
  const media = box('mdia', fullBox('hdlr', 0, 0, u32(0), latin1(handler)), box('minf', table));
  return box('trak', fullBox('tkhd', 0, 0, u32(0, 0, id)), ...more, media);
}

const movie = Buffer.concat([
  fullBox('mvhd', 0, 0, u32(0, 0, 1000, 0, 4)),
  track(1, 'vide', fullBox('stco', 0, 0, u32(2, 100, 200)), box('tref', box('tmcd', u32(3)))),
  track(2, 'soun', fullBox('co64', 0, 0, u32(1), u64(2 ** 33))),
  track(3, 'tmcd', fullBox('stco', 0, 0, u32(1, 300))),
  box('udta', box('meta', u32(5))),
]);

function changeMovie(large: boolean) {
  const boxes = childBoxes(
    movieWithAdditions(movie, {
      additions: { tags: {}, chapters },
      end: 400,
      samples,
      mediaShift: 1000,
      samplesOffset: 40,
      large,
    }),
  );
  const tracks = boxes.filter(({ type }) => type === 'trak').map(({ body }) => childBoxes(body));
  const tables = tracks.map((parts) => {
    const information = childBoxes(requiredBox(childBoxes(requiredBox(parts, 'mdia')), 'minf'));
    return childBoxes(requiredBox(information, 'stbl')).at(-1)?.bytes;
  });
  return { boxes, tracks, tables };
}

describe('an index with added chapters', () => {
  it('shifts all chunk offsets with the media', () => {
    expect(changeMovie(false).tables).toEqual([
      fullBox('stco', 0, 0, u32(2, 1100, 1200)),
      fullBox('co64', 0, 0, u32(1), u64(2 ** 33 + 1000)),
      fullBox('stco', 0, 0, u32(1, 1300)),
      fullBox('co64', 0, 0, u32(1), u64(40)),
    ]);
  });

  it('uses 64-bit chunk offsets when the media grows beyond 32 bits', () => {
    expect(changeMovie(true).tables[0]).toEqual(fullBox('co64', 0, 0, u32(2), u64(1100, 1200)));
  });

  it('references its new track from the video and audio tracks, and keeps their other references', () => {
    const references = changeMovie(false).tracks.map((parts) => parts.find(({ type }) => type === 'tref')?.body);
    const chapterTrack = box('chap', u32(4));
    expect(references).toEqual([
      Buffer.concat([box('tmcd', u32(3)), chapterTrack]),
      chapterTrack,
      undefined,
      undefined,
    ]);
    expect(requiredBox(changeMovie(false).boxes, 'mvhd').subarray(-4)).toEqual(u32(5));
  });

  it('keeps its user data, and lists as many chapters as Nero’s list can hold', () => {
    const [meta, list] = childBoxes(requiredBox(changeMovie(false).boxes, 'udta'));
    expect(meta?.bytes).toEqual(box('meta', u32(5)));
    // 255 entries, each with a time, a length and 127 two-byte letters.
    expect(list?.body).toHaveLength(4 + 4 + 1 + 255 * (8 + 1 + 254));
  });
});

it('truncates titles between characters', () => {
  expect(truncateUtf8('aä日𝄞', 100).toString()).toBe('aä日𝄞');
  expect([9, 6, 5, 2, 1, 0].map((bytes) => truncateUtf8('aä日𝄞', bytes).toString())).toEqual([
    'aä日',
    'aä日',
    'aä',
    'a',
    'a',
    '',
  ]);
});
