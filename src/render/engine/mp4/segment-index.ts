import { decline } from '../binary/fast-path-declined.ts';
import { FieldReader } from '../binary/field-reader.ts';

/** An independently playable part of a file, as listed in a segment index. */
export interface SegmentReference {
  /** Offset of its first byte. */
  readonly from: number;
  /** Offset after its last byte. */
  readonly to: number;
  /** Duration in seconds. */
  readonly duration: number;
}

/** Content of a segment index. */
export interface SegmentIndex {
  readonly references: readonly SegmentReference[];
  /** Whether it refers only to media, and not to further indexes. */
  readonly flat: boolean;
}

/**
 * Reads a `sidx` box (ISO/IEC 14496-12 §8.16.3).
 *
 * @param body - body of the box.
 * @param end - offset after the box. The offsets in the box are relative to it.
 * @throws FastPathDeclined if it is malformed.
 */
export function readSegmentIndex(body: Buffer, end: number): SegmentIndex {
  const fields = new FieldReader(body);
  const { version } = fields.versionAndFlags();
  fields.skip(4);
  const timescale = fields.u32();
  if (timescale === 0) decline('its index has no timescale');
  fields.skip(version === 0 ? 4 : 8);
  let from = end + (version === 0 ? fields.u32() : fields.u64());
  fields.skip(2);
  const count = fields.u16();
  const table = new FieldReader(fields.table(count, 12));
  const references: SegmentReference[] = [];
  let flat = true;
  for (let at = 0; at < count; at += 1) {
    const typeAndSize = table.u32();
    if (typeAndSize >>> 31 === 1) flat = false;
    const to = from + (typeAndSize & 0x7fff_ffff);
    references.push({ from, to, duration: table.u32() / timescale });
    table.skip(4);
    from = to;
  }
  return { references, flat };
}
