import type { ByteSource } from '../binary/byte-source.ts';
import { decline } from '../binary/fast-path-declined.ts';
import { FieldReader } from '../binary/field-reader.ts';
import { decodeTexts, readFrames, readTag } from '../tags/id3-tag.ts';
import { type Chapter, maxChapters } from './chapter.ts';

/**
 * Reads the chapters of an ID3v2 tag at the beginning of a file: its `CHAP` frames
 * (https://id3.org/id3v2-chapters-1.0). Chapters are included whether or not a table of contents lists them.
 *
 * @throws FastPathDeclined when a chapter is damaged.
 */
export function readId3Chapters(source: ByteSource): Chapter[] {
  const chapters: Chapter[] = [];
  for (const { id, body, version } of readTag(source)) {
    if (id === 'CHAP') chapters.push(parseChapter(body, version));
    if (chapters.length > maxChapters) break;
  }
  return chapters;
}

function parseChapter(body: Buffer, version: number): Chapter {
  const name = body.indexOf(0);
  if (name < 0) decline('they are damaged');
  const fields = new FieldReader(body.subarray(name + 1));
  const milliseconds = fields.u32();
  // Skips the end time, and the start and end as byte offsets in the file.
  fields.skip(12);
  for (const { id, body: text } of readFrames(fields.bytes(fields.remaining), version)) {
    if (id === 'TIT2') return { start: milliseconds / 1000, title: decodeTexts(text)[0] ?? '' };
  }
  return { start: milliseconds / 1000, title: '' };
}
