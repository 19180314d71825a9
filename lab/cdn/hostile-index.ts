import { bytesContent, type Content } from './content.ts';
import { makeBox } from './track-boxes.ts';

/** An MP4 file of which only the index exists. Its media is bytes of 1. */
interface IndexedFile {
  readonly about: string;
  readonly content: () => Content;
}

/** Frames per second, and ticks per second. */
const rate = 30;
const timescale = 30_000;
/** Size of the files in bytes, and offset of their media: the largest index is before it. */
const fileBytes = 4_900_000_000;
const mediaOffset = 70_000_000;
const sampleBytes = 1000;
const chunkBytes = 1024 * 1024;

const contents = new Map<string, Content>();

/** Returns a file of {@link indexedFiles}, which is made once. */
export function indexedFile(name: string): Content | undefined {
  const content = contents.get(name) ?? (Object.hasOwn(indexedFiles, name) ? indexedFiles[name]?.content() : undefined);
  if (content !== undefined) contents.set(name, content);
  return content;
}

/** MP4 files whose index costs its reader much, by name. */
export const indexedFiles: Readonly<Record<string, IndexedFile>> = {
  'scattered.mp4': {
    about: 'ten minutes of frames that are scattered over 4.9 GB',
    content() {
      const count = 600 * rate;
      const distance = Math.floor((2 ** 32 - mediaOffset) / count);
      return fileOf(count, (at) => mediaOffset + ((at * 7919) % count) * distance);
    },
  },
  'samples.mp4': {
    about: 'an index of 60 MB with 2.3 million frames, each of which has entries in all tables',
    content: () => fileOf(2_300_000, (at) => mediaOffset + at * sampleBytes),
  },
};

/** Returns a file of video frames at the given offsets. */
function fileOf(count: number, offsetOf: (at: number) => number): Content {
  const movie = makeBox('moov', movieHeader(count), track(count, offsetOf));
  const fileType = makeBox('ftyp', 'isom\0\0\0\0isom');
  const mediaHeader = Buffer.concat([numbers(1), Buffer.from('mdat'), Buffer.alloc(8)]);
  mediaHeader.writeBigUInt64BE(BigInt(fileBytes - fileType.length - movie.length), 8);
  const head = bytesContent(Buffer.concat([fileType, movie, mediaHeader]), 'video/mp4');
  const media = Buffer.alloc(chunkBytes, 1);
  return {
    ...head,
    size: fileBytes,
    async *read(first, end) {
      if (first < head.size) yield* head.read(first, Math.min(end, head.size));
      for (let at = Math.max(first, head.size); at < end; at += chunkBytes) yield media.subarray(0, end - at);
    },
  };
}

function movieHeader(count: number): Buffer {
  return makeBox('mvhd', numbers(0, 0, 0, 1000, (count / rate) * 1000), Buffer.alloc(80));
}

function track(count: number, offsetOf: (at: number) => number): Buffer {
  const source = makeBox('dinf', makeBox('dref', numbers(0, 1), makeBox('url ', numbers(1))));
  const description = makeBox('stsd', numbers(0, 1), makeBox('none', Buffer.alloc(78)));
  const table = makeBox(
    'stbl',
    description,
    makeBox(
      'stts',
      numbers(0, count),
      rows(count, 2, (at) => [1, timescale / rate + (at % 7)]),
    ),
    makeBox(
      'ctts',
      numbers(0, count),
      rows(count, 2, (at) => [1, (at * 7919) % 5000]),
    ),
    makeBox(
      'stss',
      numbers(0, count),
      rows(count, 1, (at) => [at + 1]),
    ),
    makeBox(
      'stsz',
      numbers(0, 0, count),
      rows(count, 1, (at) => [sampleBytes - (at % 128)]),
    ),
    makeBox('stsc', numbers(0, 1, 1, 1, 1)),
    makeBox(
      'stco',
      numbers(0, count),
      rows(count, 1, (at) => [offsetOf(at)]),
    ),
  );
  const handler = makeBox('hdlr', numbers(0, 0), 'vide', Buffer.alloc(13));
  return makeBox(
    'trak',
    makeBox('tkhd', numbers(7, 0, 0, 1, 0, 0), Buffer.alloc(60)),
    makeBox(
      'mdia',
      makeBox('mdhd', numbers(0, 0, 0, timescale, 0, 0x55c4_0000)),
      handler,
      makeBox('minf', source, table),
    ),
  );
}

/** Writes 32-bit numbers. */
function numbers(...values: readonly number[]): Buffer {
  return rows(1, values.length, () => values);
}

function rows(count: number, columns: number, row: (at: number) => readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * count * columns);
  for (let at = 0; at < count; at += 1) {
    for (const [column, value] of row(at).entries()) bytes.writeUInt32BE(value, 4 * (at * columns + column));
  }
  return bytes;
}
