import type { ByteSource } from '../binary/byte-source.ts';
import { decline } from '../binary/fast-path-declined.ts';

/** Boxes at the top of a file, at most: a file of tiny boxes is made to hurt. Ten hours of fragments have 72,000. */
const maxTopBoxes = 300_000;
/** Boxes inside one box, at most. */
const maxChildren = 10_000;

/** A box at the top of a file (ISO/IEC 14496-12 §4.2). */
export interface TopBox {
  readonly type: string;
  /** Position of its first byte. */
  readonly offset: number;
  /** Position behind its last byte. */
  readonly end: number;
  /** Bytes of its header. */
  readonly headerBytes: number;
}

/** A box inside another one. */
export interface Box {
  readonly type: string;
  /** What stands behind its header. */
  readonly body: Buffer;
  /** All of it, header included. */
  readonly bytes: Buffer;
}

/**
 * The boxes between two positions of a file, which they must fill.
 *
 * @throws FastPathDeclined when they do not.
 */
export function readTopBoxes(source: ByteSource, from = 0, to = source.size): TopBox[] {
  return [...walkBoxes(source, from, to)];
}

/** Reads {@link readTopBoxes} one after the other, no further than they are asked for. */
export function* walkBoxes(source: ByteSource, from = 0, to = source.size): Generator<TopBox, void> {
  let count = 0;
  for (let offset = from; offset < to; count += 1) {
    if (count === maxTopBoxes) decline('it has too many boxes');
    const header = source.read(offset, Math.min(16, to - offset));
    const { type, size, headerBytes } = readHeader(header, to - offset);
    yield { type, offset, end: offset + size, headerBytes };
    offset += size;
  }
}

/** The boxes that the head of a file holds whole, of a file of `size` bytes. */
export function readHeadBoxes(head: Buffer, size: number): TopBox[] {
  const boxes: TopBox[] = [];
  for (let offset = 0; offset + 16 <= head.length; ) {
    const header = readHeader(head.subarray(offset, offset + 16), size - offset);
    const end = offset + header.size;
    if (end > head.length) break;
    boxes.push({ type: header.type, offset, end, headerBytes: header.headerBytes });
    offset = end;
  }
  return boxes;
}

/**
 * Reads what stands behind the header of a box.
 *
 * @throws FastPathDeclined when it has more than `limit` bytes, or the file fewer than it says.
 */
export function readBoxBody(source: ByteSource, { type, offset, end, headerBytes }: TopBox, limit: number): Buffer {
  const length = end - offset - headerBytes;
  if (length > limit) decline(`its ${type} box has ${length} bytes`);
  const body = source.read(offset + headerBytes, length);
  if (body.length < length) decline(`its ${type} box ends early`);
  return body;
}

/**
 * The boxes that fill a box.
 *
 * @throws FastPathDeclined when they do not.
 */
export function childBoxes(body: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let offset = 0; offset < body.length; ) {
    // QuickTime ends some lists of boxes with four zero bytes.
    if (body.length - offset === 4 && body.readUInt32BE(offset) === 0) break;
    if (boxes.length === maxChildren) decline('it has too many boxes inside one');
    const { type, size, headerBytes } = readHeader(body.subarray(offset), body.length - offset);
    const bytes = body.subarray(offset, offset + size);
    boxes.push({ type, body: bytes.subarray(headerBytes), bytes });
    offset += size;
  }
  return boxes;
}

/** Finds the one box of a type among others; a second one is a reason to decline. */
export function optionalBox(boxes: readonly Box[], type: string): Buffer | undefined {
  const matches = boxes.filter((box) => box.type === type);
  if (matches.length > 1) decline(`it has ${matches.length} ${type} boxes in one place`);
  return matches[0]?.body;
}

/** Finds the one box of a type among others; none is a reason to decline. */
export function requiredBox(boxes: readonly Box[], type: string): Buffer {
  return optionalBox(boxes, type) ?? decline(`it lacks a ${type} box`);
}

/** Declines when there is a box whose meaning might get lost. */
export function requireKnownBoxes(
  boxes: readonly { readonly type: string }[],
  knownTypes: ReadonlySet<string>,
  where: string,
): void {
  const unknown = boxes.find(({ type }) => !knownTypes.has(type));
  if (unknown !== undefined) decline(`it has the box ${JSON.stringify(unknown.type)} ${where}`);
}

function readHeader(header: Buffer, available: number) {
  if (header.length < 8) decline('bytes stand where a box should');
  const type = header.toString('latin1', 4, 8);
  const short = header.readUInt32BE(0);
  const headerBytes = short === 1 ? 16 : 8;
  if (header.length < headerBytes) decline('bytes stand where a box should');
  // A size of 0 means "to the end", which only the last box of a file may use.
  const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? available : short;
  if (size < headerBytes || size > available) decline(`its box ${JSON.stringify(type)} has an impossible size`);
  return { type, size, headerBytes };
}
