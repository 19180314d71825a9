/** Box of an MP4 file (ISO/IEC 14496-12 §4.2), with its offsets in the file. */
export interface Box {
  readonly type: string;
  readonly start: number;
  /** Offset of its content. */
  readonly content: number;
  readonly end: number;
}

/** Bytes of a full box's version and flags. */
export const fullBoxBytes = 4;

/** Returns the boxes between two offsets; bytes that do not form a box are skipped. */
export function boxesBetween(bytes: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end; ) {
    const size = bytes.readUInt32BE(at);
    const large = size === 1 && at + 16 <= end;
    const length = large ? Number(bytes.readBigUInt64BE(at + 8)) : size;
    const content = at + (large ? 16 : 8);
    if (at + length < content || at + length > end) break;
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), start: at, content, end: at + length });
    at += length;
  }
  return boxes;
}

/**
 * Returns the first box on a path of types from the top of the file, such as `moov`, `trak`, `tkhd`.
 *
 * @throws Error when the box does not exist.
 */
export function findBox(bytes: Buffer, path: readonly string[]): Box {
  let box: Box = { type: '', start: 0, content: 0, end: bytes.length };
  for (const type of path) {
    const next = boxesBetween(bytes, box.content, box.end).find((box) => box.type === type);
    if (next === undefined) throw new Error(`The file has no box ${path.join('/')}.`);
    box = next;
  }
  return box;
}
