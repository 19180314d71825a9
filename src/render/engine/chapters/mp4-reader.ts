import type { ByteSource } from '../binary/byte-source.ts';
import { FieldReader } from '../binary/field-reader.ts';
import { type Box, childBoxes, optionalBox, readBoxBody, requiredBox, walkBoxes } from '../mp4/box-reader.ts';
import { readSampleTable } from '../mp4/sample-table-reader.ts';
import { readMediaHeader } from '../mp4/track-reader.ts';
import type { Chapter } from './chapter.ts';

/** Bytes that an index may have: twice those of the longest film seen. */
const maxMovieBytes = 64 * 1024 * 1024;
/** Samples that a chapter track may have, and bytes of each that are read. */
const maxTrackSamples = 10_000;
const maxSampleBytes = 2048;
/** Ticks of a second in Nero's list of chapters. */
export const neroScale = 10_000_000;

/**
 * Reads the chapters of an MP4 or QuickTime file: a text track that others name as theirs (QuickTime File Format,
 * "Chapter Lists"), else Nero's list, whose titles are shorter and 255 at most.
 *
 * @throws FastPathDeclined when they are damaged.
 */
export function readMp4Chapters(source: ByteSource): Chapter[] {
  for (const box of walkBoxes(source)) {
    if (box.type !== 'moov') continue;
    const movie = readBoxBody(source, box, maxMovieBytes);
    // What else is odd in an index is not for this reader to judge.
    const hasChapters = movie.includes('chap', 0, 'latin1') || movie.includes('chpl', 0, 'latin1');
    return hasChapters ? parseMovie(movie, source) : [];
  }
  return [];
}

function parseMovie(movie: Buffer, source: ByteSource): Chapter[] {
  const boxes = childBoxes(movie);
  const tracks = boxes.filter(({ type }) => type === 'trak').map((box) => childBoxes(box.body));
  const chapterTrackIds = new Set(tracks.flatMap(referencedTracks));
  const chapterTrack = tracks.find((track) => chapterTrackIds.has(trackId(track)) && isText(track));
  const chapters =
    chapterTrack === undefined ? [] : readTextTrack(chapterTrack, movieTimescale(requiredBox(boxes, 'mvhd')), source);
  if (chapters.length > 0) return chapters;
  const user = optionalBox(boxes, 'udta');
  const list = user === undefined ? undefined : optionalBox(childBoxes(user), 'chpl');
  return list === undefined ? [] : readNeroList(list);
}

/** The numbers of the tracks that hold a track's chapters. */
function referencedTracks(track: readonly Box[]): number[] {
  const references = optionalBox(track, 'tref');
  const list = references === undefined ? undefined : optionalBox(childBoxes(references), 'chap');
  return list === undefined ? [] : readTrackIds(list);
}

function readTrackIds(body: Buffer): number[] {
  const fields = new FieldReader(body);
  return Array.from({ length: Math.min(64, fields.remaining >> 2) }, () => fields.u32());
}

/** A track's number. */
export function trackId(track: readonly Box[]): number {
  const fields = new FieldReader(requiredBox(track, 'tkhd'));
  fields.skip(fields.versionAndFlags().version === 1 ? 16 : 8);
  return fields.u32();
}

/** Four letters that tell what kind of media a track holds. */
export function handlerOf(track: readonly Box[]): string {
  const fields = new FieldReader(requiredBox(childBoxes(requiredBox(track, 'mdia')), 'hdlr'));
  fields.skip(8);
  return fields.bytes(4).toString('latin1');
}

/** Tracks of pictures decorate the chapters. */
function isText(track: readonly Box[]): boolean {
  return ['text', 'sbtl'].includes(handlerOf(track));
}

/** Ticks of a second in the movie's header. */
export function movieTimescale(header: Buffer): number {
  const fields = new FieldReader(header);
  fields.skip(fields.versionAndFlags().version === 1 ? 16 : 8);
  return fields.u32();
}

function readTextTrack(track: readonly Box[], scale: number, source: ByteSource): Chapter[] {
  const media = childBoxes(requiredBox(track, 'mdia'));
  const { timescale } = readMediaHeader(requiredBox(media, 'mdhd'));
  const table = childBoxes(requiredBox(childBoxes(requiredBox(media, 'minf')), 'stbl'));
  const samples = readSampleTable(table, true, maxTrackSamples);
  let start = delayOf(optionalBox(track, 'edts'), scale);
  return Array.from({ length: samples.count }, (_, at): Chapter => {
    const bytes = source.read(samples.offsets[at] ?? 0, Math.min(maxSampleBytes, samples.sizes[at] ?? 0));
    const chapter = { start, title: decodeText(bytes) };
    start += (samples.durations[at] ?? 0) / timescale;
    return chapter;
  });
}

/** Seconds before the first chapter: an edit list that begins with an empty stretch. */
function delayOf(edits: Buffer | undefined, scale: number): number {
  const list = edits === undefined ? undefined : optionalBox(childBoxes(edits), 'elst');
  if (list === undefined || scale === 0) return 0;
  const fields = new FieldReader(list);
  const { version } = fields.versionAndFlags();
  if (fields.u32() === 0) return 0;
  const length = version === 1 ? fields.u64() : fields.u32();
  return (version === 1 ? fields.i64() : fields.i32()) === -1 ? length / scale : 0;
}

/** A length of two bytes, and text in UTF-8, or in UTF-16 when it says so. */
function decodeText(sample: Buffer): string {
  if (sample.length < 2) return '';
  const text = sample.subarray(2, 2 + sample.readUInt16BE(0));
  const mark = text.toString('latin1', 0, 2);
  const name = mark === '\xfe\xff' ? 'utf-16be' : mark === '\xff\xfe' ? 'utf-16le' : 'utf-8';
  return new TextDecoder(name).decode(text);
}

/** Reads Nero's list, of which there is no specification: what FFmpeg 8.1 (mov.c) and GPAC agree on. */
function readNeroList(body: Buffer): Chapter[] {
  const fields = new FieldReader(body);
  if (fields.versionAndFlags().version !== 0) fields.skip(4);
  return Array.from({ length: fields.u8() }, () => {
    const start = fields.u64() / neroScale;
    return { start, title: fields.bytes(fields.u8()).toString('utf8') };
  });
}
