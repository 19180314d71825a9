import { FieldReader } from '../../engine/binary/field-reader.ts';
import { childBoxes } from './child-boxes.ts';
import { declineExcerpt, type IndexReading } from './media-index.ts';

/** Maximum size in bytes of the index of a fragment: four times that of the largest fragment seen. */
const maxIndexBytes = 4 * 1024 * 1024;
const headerBytes = 16;
/** The flag of a `tfhd` box that states where its media is in the file (ISO/IEC 14496-12 §8.8.7). */
const hasBaseOffset = 1;
/** Position of that offset in the content of the box: after version, flags and the number of the track. */
const baseOffsetAt = 8;

/** Bytes to write to a file. */
export interface Correction {
  readonly position: number;
  readonly bytes: Buffer;
}

/**
 * Reads fragments that were moved to another file, and returns their corrections: they may state where in the file their
 * media is. FFmpeg writes such fragments, except with its option `default_base_moof`.
 *
 * @param from - where the fragments begin in the new file.
 * @param end - where they end.
 * @param shift - by how many bytes they were moved.
 * @throws ExcerptDeclined if there are no fragments.
 */
export function* moveFragments(from: number, end: number, shift: number): IndexReading<readonly Correction[]> {
  const corrections: Correction[] = [];
  for (let at = from; at + headerBytes <= end; ) {
    const header = yield { from: at, end: at + headerBytes };
    const short = header.readUInt32BE(0);
    // A size of 0 means "to the end of the file", which only media may use.
    const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - at : short;
    if (size < 8 || at + size > end) declineExcerpt('its index does not match its media');
    if (header.toString('latin1', 4, 8) === 'moof') {
      if (size > maxIndexBytes) declineExcerpt('one of its fragments has a very large index');
      const bytes = Buffer.from(yield { from: at, end: at + size });
      if (moveBaseOffsets(bytes, shift)) corrections.push({ position: at, bytes });
    }
    at += size;
  }
  return corrections;
}

/** Changes the offsets in a `moof` box. Returns whether it has any. */
function moveBaseOffsets(moof: Buffer, shift: number): boolean {
  // The contents of the boxes are parts of its bytes.
  const tracks = childBoxes(moof.subarray(8)).filter(({ type }) => type === 'traf');
  const headers = tracks.flatMap(({ body }) => childBoxes(body)).filter(({ type }) => type === 'tfhd');
  let isChanged = false;
  for (const { body } of headers) {
    const { flags } = new FieldReader(body).versionAndFlags();
    if ((flags & hasBaseOffset) === 0 || body.length < baseOffsetAt + 8) continue;
    const moved = body.readBigInt64BE(baseOffsetAt) + BigInt(shift);
    if (moved < 0n) declineExcerpt('its index does not match its media');
    body.writeBigInt64BE(moved, baseOffsetAt);
    isChanged = true;
  }
  return isChanged;
}
