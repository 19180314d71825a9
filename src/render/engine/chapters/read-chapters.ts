import type { ByteSource } from '../binary/byte-source.ts';
import { withFile } from '../binary/byte-source.ts';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { isoFormat } from '../formats/demuxer-names.ts';
import { type Chapter, maxChapters, normalizeChapters } from './chapter.ts';
import { readFlacChapters } from './flac-reader.ts';
import { readId3Chapters } from './id3-reader.ts';
import { readMatroskaChapters } from './matroska-reader.ts';
import { readMp4Chapters } from './mp4-reader.ts';
import { readOggChapters } from './ogg-reader.ts';

/** Readers by the demuxer that opens the file, as FFmpeg names it. */
const readers: Readonly<Record<string, (source: ByteSource) => Chapter[]>> = {
  [isoFormat]: readMp4Chapters,
  'matroska,webm': readMatroskaChapters,
  ogg: readOggChapters,
  flac: readFlacChapters,
  mp3: readId3Chapters,
  aac: readId3Chapters,
};

/** Chapters of a file, and in words why they are not all it has. */
interface ChapterReadResult {
  readonly chapters: readonly Chapter[];
  readonly omissionReason?: string;
}

/** Reads the chapters of a file, in order. The media library reads them too, but its binding shows them to nobody. */
export function readChapters(path: string, format: string): ChapterReadResult {
  const reader = readers[format];
  if (reader === undefined) return { chapters: [] };
  try {
    const list = withFile(path, reader);
    const chapters = normalizeChapters(list);
    return list.length > maxChapters
      ? { chapters, omissionReason: `there are more than the ${maxChapters} that are kept` }
      : { chapters };
  } catch (error) {
    if (error instanceof FastPathDeclined) return { chapters: [], omissionReason: error.message };
    throw error;
  }
}
