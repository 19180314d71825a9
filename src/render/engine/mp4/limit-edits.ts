import { type ByteSource, withFile } from '../binary/byte-source.ts';
import { FieldReader } from '../binary/field-reader.ts';
import { overwrite } from '../binary/overwrite.ts';
import { childBoxes, optionalBox, readBoxBody, readTopBoxes, requiredBox } from './box-reader.ts';
import { u32, u64 } from './box-writer.ts';
import { maxMovieBytes } from './movie-reader.ts';

/** A duration in the index of a file. */
interface StoredDuration {
  /** Its offset in the file. */
  readonly offset: number;
  readonly isWide: boolean;
  /** Its value, and the highest value that it may have, in ticks. */
  readonly ticks: number;
  readonly limit: number;
}

/**
 * Ends the presentation of a finished MP4 or QuickTime file at a time, in seconds: shortens its edit lists and the
 * durations in its headers. Its media stays the same. The muxer presents all of it, also frames that only earlier ones
 * need.
 */
export function limitEdits(path: string, end: number): void {
  if (!Number.isFinite(end)) return;
  const durations = withFile(path, (source) => findDurations(source, end));
  for (const { offset, isWide, ticks, limit } of durations) {
    if (ticks > limit) overwrite(path, offset, isWide ? u64(limit) : u32(limit));
  }
}

function findDurations(source: ByteSource, end: number): StoredDuration[] {
  const moov = readTopBoxes(source).find(({ type }) => type === 'moov');
  if (moov === undefined) throw new Error('the muxer wrote no index');
  const index = readBoxBody(source, moov, maxMovieBytes);
  const offsetOf = (field: Buffer) => moov.offset + moov.headerBytes + field.byteOffset - index.byteOffset;
  const boxes = childBoxes(index);
  const movieHeader = requiredBox(boxes, 'mvhd');
  const isWideHeader = new FieldReader(movieHeader).versionAndFlags().version === 1;
  const scale = movieHeader.readUInt32BE(isWideHeader ? 20 : 12);
  const limit = Math.round(end * scale);
  /** Reads the duration at an offset in the body of a box. */
  const durationAt = (body: Buffer, at: number, isWide: boolean, limitTicks = limit): StoredDuration => {
    const field = body.subarray(at);
    const ticks = isWide ? Number(field.readBigUInt64BE()) : field.readUInt32BE();
    return { offset: offsetOf(field), isWide, ticks, limit: Math.max(0, limitTicks) };
  };
  const tracks = boxes.filter(({ type }) => type === 'trak').map(({ body }) => childBoxes(body));
  return [
    durationAt(movieHeader, isWideHeader ? 24 : 16, isWideHeader),
    ...tracks.flatMap((track) => {
      const header = requiredBox(track, 'tkhd');
      const isWide = new FieldReader(header).versionAndFlags().version === 1;
      const edits = optionalBox(track, 'edts');
      const list = edits === undefined ? undefined : optionalBox(childBoxes(edits), 'elst');
      return [durationAt(header, isWide ? 28 : 20, isWide), ...(list === undefined ? [] : editDurations(list))];
    }),
  ];

  /** Returns the durations of the entries of an edit list. The entries before an entry shorten its limit. */
  function editDurations(list: Buffer): StoredDuration[] {
    const fields = new FieldReader(list);
    const isWide = fields.versionAndFlags().version === 1;
    const count = fields.u32();
    const entryBytes = isWide ? 20 : 12;
    fields.table(count, entryBytes);
    let before = 0;
    return Array.from({ length: count }, (_, entry) => {
      const duration = durationAt(list, 8 + entry * entryBytes, isWide, limit - before);
      before += duration.ticks;
      return duration;
    });
  }
}
