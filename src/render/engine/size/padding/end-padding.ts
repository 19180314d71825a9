import { appendFileSync, closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Size of the pieces in which padding is written. */
const chunkBytes = 1024 * 1024;

/** Size of a packet of a transport stream, and the head of a null packet (ISO/IEC 13818-1 §2.4.3.3). */
const transportPacket = 188;
const nullPacket = Buffer.concat([Buffer.from([0x47, 0x1f, 0xff, 0x10]), Buffer.alloc(transportPacket - 4, 0xff)]);

/** The ID of a Matroska segment, and the number of bytes at the beginning of a file that contain it. */
const segmentId = Buffer.from('18538067', 'hex');
const headBytes = 4096;

/** Size of the head of a void element. */
const voidHeadBytes = 9;

/** Appends a free box of at least 16 bytes to an MP4 or QuickTime file. */
export function appendFreeBox(path: string, bytes: number): number {
  return append(path, freeBoxHead(Math.max(bytes, 16)), bytes, Buffer.alloc(1));
}

/** Appends a void element to the segment of a Matroska or WebM file. */
export function appendVoidElement(path: string, bytes: number): number {
  growSegment(path, Math.max(bytes, voidHeadBytes));
  return append(path, voidElementHead(bytes), bytes, Buffer.alloc(1));
}

/** Appends null packets to a transport stream. */
export function appendNullPackets(path: string, bytes: number): number {
  return append(path, Buffer.alloc(0), bytes, nullPacket);
}

/** A box with a size of 64 bits (ISO/IEC 14496-12 §4.2 and §8.1.2). */
function freeBoxHead(bytes: number): Buffer {
  const head = Buffer.from('\0\0\0\x01free\0\0\0\0\0\0\0\0', 'latin1');
  head.writeBigUInt64BE(BigInt(bytes), 8);
  return head;
}

/**
 * Extends the segment of a Matroska file by the padding that follows it (RFC 9559 §5.1). FFmpeg stores its size in eight
 * bytes, the first of which is a marker.
 */
function growSegment(path: string, bytes: number): void {
  const file = openSync(path, 'r+');
  try {
    const head = Buffer.alloc(headBytes);
    const length = readSync(file, head, 0, headBytes, 0);
    const at = head.subarray(0, length).indexOf(segmentId) + segmentId.length;
    const isKnown = at >= segmentId.length && at + 8 <= length && head[at] === 0x01;
    if (!isKnown) throw new Error('a Matroska file has no segment with a size');
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(head.readBigUInt64BE(at) + BigInt(bytes));
    writeSync(file, size, 0, size.length, at);
  } finally {
    closeSync(file);
  }
}

/** RFC 8794 §11.3.1.2. The size is stored in eight bytes, the first of which is a marker. */
function voidElementHead(bytes: number): Buffer {
  const head = Buffer.alloc(voidHeadBytes);
  head[0] = 0xec;
  head.writeBigUInt64BE((1n << 56n) | BigInt(Math.max(0, bytes - head.length)), 1);
  return head;
}

/** Appends a head, and then a unit as often as needed to have `bytes` bytes in total. */
function append(path: string, head: Buffer, bytes: number, unit: Buffer): number {
  appendFileSync(path, head);
  let count = Math.ceil(Math.max(0, bytes - head.length) / unit.length);
  const total = head.length + count * unit.length;
  const chunk = Buffer.alloc(unit.length * Math.floor(chunkBytes / unit.length), unit);
  for (; count > 0; count -= chunk.length / unit.length) appendFileSync(path, chunk.subarray(0, count * unit.length));
  return total;
}
