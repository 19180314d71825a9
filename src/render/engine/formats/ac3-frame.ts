/** Bytes of a header (ATSC A/52, §5.3). */
const HEADER_BYTES = 7;
/** Number of entries in the table of frame sizes (ATSC A/52, table 5.18). */
const FRAME_SIZES = 38;

/** Whether a packet begins with the header of an AC-3 frame (ATSC A/52, §5.3). */
export function isAc3Frame(bytes: Buffer): boolean {
  if (bytes.length < HEADER_BYTES || bytes.readUInt16BE(0) !== 0x0b77) return false;
  const [sizes = 0, version = 0] = [bytes[4], bytes[5]];
  return sizes >> 6 !== 3 && (sizes & 0x3f) < FRAME_SIZES && version >> 3 <= 10;
}
