import { FieldReader } from '../../engine/binary/field-reader.ts';
import { declineExcerpt, type IndexReading } from './media-index.ts';

/** Reads up to `length` bytes of a file of `size` bytes; fewer at its end. */
export function* readUpTo(offset: number, length: number, size: number): IndexReading<Buffer> {
  const end = Math.min(offset + length, size);
  return end > offset ? yield { from: offset, end } : Buffer.alloc(0);
}

/**
 * Reads exactly `length` bytes.
 *
 * @param limit - maximum number of bytes.
 * @throws ExcerptDeclined if there are more than `limit` bytes, or the file ends before the last of them.
 */
export function* readExactly(offset: number, length: number, size: number, limit: number): IndexReading<Buffer> {
  if (length > limit) declineExcerpt('its index is too large');
  const bytes = yield* readUpTo(offset, length, size);
  return bytes.length === length ? bytes : declineExcerpt('its index is damaged');
}

/** The header of a box in a file. */
export interface BoxHeader {
  readonly type: string;
  readonly offset: number;
  readonly end: number;
  readonly headerBytes: number;
}

/**
 * Reads the header of the box at an offset of a file of `size` bytes.
 *
 * @throws ExcerptDeclined if the source returns no such range.
 */
export function* readBoxHeader(offset: number, size: number): IndexReading<BoxHeader> {
  const header = yield* readUpTo(offset, 16, size);
  if (header.length < 8) declineExcerpt('its structure is damaged');
  const fields = new FieldReader(header);
  const short = fields.u32();
  const type = fields.bytes(4).toString('latin1');
  // A size of 0 means "to the end of the file".
  const length = short === 1 ? fields.u64() : short === 0 ? size - offset : short;
  const headerBytes = short === 1 ? 16 : 8;
  if (length < headerBytes || length > size - offset) declineExcerpt('its structure is damaged');
  return { type, offset, end: offset + length, headerBytes };
}

/**
 * Reads the content of a box of at most `limit` bytes.
 *
 * @throws ExcerptDeclined
 */
export function* readBoxContent(box: BoxHeader, size: number, limit: number): IndexReading<Buffer> {
  return yield* readExactly(box.offset + box.headerBytes, box.end - box.offset - box.headerBytes, size, limit);
}
