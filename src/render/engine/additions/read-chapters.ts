import type { ByteSource } from '../binary/byte-source.ts';
import { withFile } from '../binary/byte-source.ts';
import { FastPathDeclined } from '../binary/fast-path-declined.ts';
import { type Chapter, maxChapters, normalizeChapters } from '../chapters/chapter.ts';
import { readFlacChapters } from '../chapters/flac-chapters.ts';
import { readId3Chapters } from '../chapters/id3-reader.ts';
import { readMatroskaChapters } from '../chapters/matroska-reader.ts';
import { readOggChapters } from '../chapters/vorbis-chapters.ts';
import { isoFormat } from '../formats/demuxer-names.ts';
import { readMp4Chapters } from '../mp4/additions/chapter-reader.ts';

/** Readers by the name of FFmpeg's demuxer for the file. */
const readers: Readonly<Record<string, (source: ByteSource) => Chapter[]>> = {
  [isoFormat]: readMp4Chapters,
  'matroska,webm': readMatroskaChapters,
  ogg: readOggChapters,
  flac: readFlacChapters,
  mp3: readId3Chapters,
  aac: readId3Chapters,
};

/** The chapters of a file, and why some or all of them are missing. */
interface ChapterReadResult {
  readonly chapters: readonly Chapter[];
  readonly omissionReason?: string;
}

/** Reads the chapters of a file, in order. The media library also reads them, but its binding does not expose them. */
export function readChapters(path: string, format: string): ChapterReadResult {
  const reader = readers[format];
  if (reader === undefined) return { chapters: [] };
  try {
    const list = withFile(path, reader);
    const chapters = normalizeChapters(list);
    return list.length > maxChapters
      ? { chapters, omissionReason: `there are more than the maximum of ${maxChapters}` }
      : { chapters };
  } catch (error) {
    if (error instanceof FastPathDeclined) return { chapters: [], omissionReason: error.message };
    throw error;
  }
}
