import type { ByteSource } from '../binary/byte-source.ts';
import { decline } from '../binary/fast-path-declined.ts';

/**
 * Maximum number of top-level boxes in a file, a guard against files of many tiny boxes. A ten-hour file of one-second
 * fragments has 72,000.
 */
const maxTopBoxes = 300_000;
/** Maximum number of boxes inside one box. */
const maxChildren = 10_000;

/** A top-level box of a file (ISO/IEC 14496-12 §4.2). */
export interface TopBox {
  readonly type: string;
  /** Offset of its first byte. */
  readonly offset: number;
  /** Offset after its last byte. */
  readonly end: number;
  /** Size of its header in bytes. */
  readonly headerBytes: number;
}

/** A box inside another box. */
export interface Box {
  readonly type: string;
  /** Content after the header. */
  readonly body: Buffer;
  /** The whole box, including the header. */
  readonly bytes: Buffer;
}

/**
 * Returns the boxes between two offsets of a file. They must fill that range exactly.
 *
 * @throws FastPathDeclined if the boxes do not fill the range.
 */
export function readTopBoxes(source: ByteSource, from = 0, to = source.size): TopBox[] {
  return [...walkBoxes(source, from, to)];
}

/** Yields the boxes of {@link readTopBoxes} one by one, reading no further than the consumer iterates. */
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

/** Returns the complete boxes at the beginning of a file of `size` bytes, given its head. */
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
 * Reads the content of a box, without its header.
 *
 * @throws FastPathDeclined if the content has more than `limit` bytes, or the file ends before the declared end of the
 * box.
 */
export function readBoxBody(source: ByteSource, { type, offset, end, headerBytes }: TopBox, limit: number): Buffer {
  const length = end - offset - headerBytes;
  if (length > limit) decline(`its ${type} box has ${length} bytes`);
  const body = source.read(offset + headerBytes, length);
  if (body.length < length) decline(`its ${type} box is truncated`);
  return body;
}

/**
 * Returns the child boxes that fill a box.
 *
 * @param limit - maximum number of boxes.
 * @throws FastPathDeclined if they do not fill it exactly, or if there are too many.
 */
export function childBoxes(body: Buffer, limit = maxChildren): Box[] {
  const boxes: Box[] = [];
  for (let offset = 0; offset < body.length; ) {
    // QuickTime ends some box lists with four zero bytes.
    if (body.length - offset === 4 && body.readUInt32BE(offset) === 0) break;
    if (boxes.length === limit) decline('one of its boxes has too many children');
    const { type, size, headerBytes } = readHeader(body.subarray(offset), body.length - offset);
    const bytes = body.subarray(offset, offset + size);
    boxes.push({ type, body: bytes.subarray(headerBytes), bytes });
    offset += size;
  }
  return boxes;
}

/** Finds the only box of a type. Declines if there are several. */
export function optionalBox(boxes: readonly Box[], type: string): Buffer | undefined {
  const matches = boxes.filter((box) => box.type === type);
  if (matches.length > 1) decline(`it has ${matches.length} ${type} boxes in one place`);
  return matches[0]?.body;
}

/** Finds the only box of a type. Declines if there is none or there are several. */
export function requiredBox(boxes: readonly Box[], type: string): Buffer {
  return optionalBox(boxes, type) ?? decline(`it lacks a ${type} box`);
}

/** Declines if there is an unknown box, whose meaning a copy might lose. */
export function requireKnownBoxes(
  boxes: readonly { readonly type: string }[],
  knownTypes: ReadonlySet<string>,
  where: string,
): void {
  const unknown = boxes.find(({ type }) => !knownTypes.has(type));
  if (unknown !== undefined) decline(`it has the box ${JSON.stringify(unknown.type)} ${where}`);
}

function readHeader(header: Buffer, available: number) {
  if (header.length < 8) decline('it has bytes that are not a box');
  const type = header.toString('latin1', 4, 8);
  const short = header.readUInt32BE(0);
  const headerBytes = short === 1 ? 16 : 8;
  if (header.length < headerBytes) decline('it has bytes that are not a box');
  // A size of 0 means "to the end of the file", which only the last box may use.
  const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? available : short;
  if (size < headerBytes || size > available) decline(`its box ${JSON.stringify(type)} has an impossible size`);
  return { type, size, headerBytes };
}
