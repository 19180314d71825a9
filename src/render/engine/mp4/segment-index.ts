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
  /** Whether it is a further index instead of media. */
  readonly isIndex: boolean;
  /** Whether it begins with a sample at which decoding can begin. */
  readonly startsAtSync: boolean;
}

/** Content of a segment index. */
export interface SegmentIndex {
  /** ID of the track whose times it lists. */
  readonly trackId: number;
  /** Presentation time at which its first part begins, in seconds on the clock of the track. */
  readonly start: number;
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
  const trackId = fields.u32();
  const timescale = fields.u32();
  if (timescale === 0) decline('its index has no timescale');
  const start = (version === 0 ? fields.u32() : fields.u64()) / timescale;
  let from = end + (version === 0 ? fields.u32() : fields.u64());
  fields.skip(2);
  const count = fields.u16();
  const table = new FieldReader(fields.table(count, 12));
  const references: SegmentReference[] = [];
  for (let at = 0; at < count; at += 1) {
    const typeAndSize = table.u32();
    const to = from + (typeAndSize & 0x7fff_ffff);
    const duration = table.u32() / timescale;
    const startsAtSync = table.u32() >>> 31 === 1;
    references.push({ from, to, duration, isIndex: typeAndSize >>> 31 === 1, startsAtSync });
    from = to;
  }
  return { trackId, start, references, flat: references.every(({ isIndex }) => !isIndex) };
}
