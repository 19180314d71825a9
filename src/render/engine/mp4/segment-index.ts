import { decline } from '../binary/fast-path-declined.ts';
import { FieldReader } from '../binary/field-reader.ts';

/** A part of a file that can be played by itself, as a segment index tells it. */
export interface SegmentReference {
  /** Position of its first byte. */
  readonly from: number;
  /** Position behind its last byte. */
  readonly to: number;
  /** Seconds. */
  readonly duration: number;
}

/** What a segment index tells. */
export interface SegmentIndex {
  readonly references: readonly SegmentReference[];
  /** Whether it points to media alone, and not to further indexes. */
  readonly flat: boolean;
}

/**
 * Reads a `sidx` box (ISO/IEC 14496-12 §8.16.3).
 *
 * @param body - its body.
 * @param end - position behind the box, from which its positions count.
 * @throws FastPathDeclined when it is malformed.
 */
export function readSegmentIndex(body: Buffer, end: number): SegmentIndex {
  const fields = new FieldReader(body);
  const { version } = fields.versionAndFlags();
  fields.skip(4);
  const timescale = fields.u32();
  if (timescale === 0) decline('its index has no clock');
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
