import type { ByteSource } from '../../binary/byte-source.ts';
import { FieldReader } from '../../binary/field-reader.ts';
import type { Chapter } from '../../chapters/chapter.ts';
import { type Box, childBoxes, optionalBox, readBoxBody, requiredBox, walkBoxes } from '../box-reader.ts';
import { readSampleTable } from '../sample-table-reader.ts';
import { readMediaHeader } from '../track-reader.ts';

/** Maximum size of an index in bytes: twice the size of the index of the longest film seen. */
const maxMovieBytes = 64 * 1024 * 1024;
/** Maximum number of samples in a chapter track, and of bytes read from each sample. */
const maxTrackSamples = 10_000;
const maxSampleBytes = 2048;
/** Ticks per second in Nero's chapter list. */
export const neroScale = 10_000_000;

/**
 * Reads the chapters of an MP4 or QuickTime file: a text track that other tracks reference (QuickTime File Format,
 * "Chapter Lists"), or else Nero's list, which has shorter titles and at most 255 chapters.
 *
 * @throws FastPathDeclined when the chapters are damaged.
 */
export function readMp4Chapters(source: ByteSource): Chapter[] {
  for (const box of walkBoxes(source)) {
    if (box.type !== 'moov') continue;
    const movie = readBoxBody(source, box, maxMovieBytes);
    // An index without chapters is not parsed, so its irregularities do not matter.
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

/** Returns the IDs of the tracks that contain a track's chapters. */
export function referencedTracks(track: readonly Box[]): number[] {
  const references = optionalBox(track, 'tref');
  const list = references === undefined ? undefined : optionalBox(childBoxes(references), 'chap');
  return list === undefined ? [] : readTrackIds(list);
}

function readTrackIds(body: Buffer): number[] {
  const fields = new FieldReader(body);
  return Array.from({ length: Math.min(64, fields.remaining >> 2) }, () => fields.u32());
}

/** Returns a track's ID. */
export function trackId(track: readonly Box[]): number {
  const fields = new FieldReader(requiredBox(track, 'tkhd'));
  fields.skip(fields.versionAndFlags().version === 1 ? 16 : 8);
  return fields.u32();
}

/** Returns the four-letter code for the kind of media in a track. */
export function handlerOf(track: readonly Box[]): string {
  const fields = new FieldReader(requiredBox(childBoxes(requiredBox(track, 'mdia')), 'hdlr'));
  fields.skip(8);
  return fields.bytes(4).toString('latin1');
}

/** Whether a track contains text. Image tracks, which illustrate chapters, do not. */
function isText(track: readonly Box[]): boolean {
  return ['text', 'sbtl'].includes(handlerOf(track));
}

/** Returns the ticks per second in the movie header. */
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

/** Returns the seconds before the first chapter, from an edit list that begins with an empty edit. */
function delayOf(edits: Buffer | undefined, scale: number): number {
  const list = edits === undefined ? undefined : optionalBox(childBoxes(edits), 'elst');
  if (list === undefined || scale === 0) return 0;
  const fields = new FieldReader(list);
  const { version } = fields.versionAndFlags();
  if (fields.u32() === 0) return 0;
  const length = version === 1 ? fields.u64() : fields.u32();
  return (version === 1 ? fields.i64() : fields.i32()) === -1 ? length / scale : 0;
}

/** Decodes a text sample: a two-byte length, then UTF-8, or UTF-16 if it begins with a byte order mark. */
function decodeText(sample: Buffer): string {
  if (sample.length < 2) return '';
  const text = sample.subarray(2, 2 + sample.readUInt16BE(0));
  const mark = text.toString('latin1', 0, 2);
  const name = mark === '\xfe\xff' ? 'utf-16be' : mark === '\xff\xfe' ? 'utf-16le' : 'utf-8';
  return new TextDecoder(name).decode(text);
}

/**
 * Reads Nero's list. It has no specification; this function reads the layout that FFmpeg 8.1 (mov.c) and GPAC have in
 * common.
 */
function readNeroList(body: Buffer): Chapter[] {
  const fields = new FieldReader(body);
  if (fields.versionAndFlags().version !== 0) fields.skip(4);
  return Array.from({ length: fields.u8() }, () => {
    const start = fields.u64() / neroScale;
    return { start, title: fields.bytes(fields.u8()).toString('utf8') };
  });
}
