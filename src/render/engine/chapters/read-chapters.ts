import type { ByteSource } from '../binary/byte-source.ts';
import { withFile } from '../binary/byte-source.ts';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { isoFormat } from '../formats/demuxer-names.ts';
import { type Chapter, maxChapters, normalizeChapters } from './chapter.ts';
import { readFlacChapters } from './flac.ts';
import { readId3Chapters } from './id3.ts';
import { readMatroskaChapters } from './matroska.ts';
import { readMp4Chapters } from './mp4-chapters.ts';
import { readOggChapters } from './ogg.ts';

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
interface ChapterReading {
  readonly chapters: readonly Chapter[];
  readonly lost?: string;
}

/** Reads the chapters of a file, in order. The media library reads them too, but its binding shows them to nobody. */
export function readChapters(path: string, format: string): ChapterReading {
  const reader = readers[format];
  if (reader === undefined) return { chapters: [] };
  try {
    const list = withFile(path, reader);
    const chapters = normalizeChapters(list);
    return list.length > maxChapters
      ? { chapters, lost: `there are more than the ${maxChapters} that are kept` }
      : { chapters };
  } catch (error) {
    if (error instanceof FastPathDeclined) return { chapters: [], lost: error.message };
    throw error;
  }
}
