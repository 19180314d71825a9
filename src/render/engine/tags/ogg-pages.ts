import type { ByteSource } from '../binary/byte-source.ts';

/** Size of a page's header without its segment table, in bytes (RFC 3533 §6). */
const headerBytes = 27;
/** Offsets of the number and of the checksum in a page. */
const sequenceOffset = 18;
const checksumOffset = 22;

/** A page of an Ogg file. */
export interface OggPage {
  readonly offset: number;
  readonly serial: number;
  /** Its number in its stream. */
  readonly sequence: number;
  /** Whether it is the first page of its stream. */
  readonly isFirst: boolean;
  /** Sizes of its segments. One of fewer than 255 bytes ends a packet. */
  readonly sizes: Buffer;
  /** Offset of the segments in the file, and the offset after the page. */
  readonly bodyOffset: number;
  readonly end: number;
}

/** Yields the pages of an Ogg file from an offset on, up to the first damaged one. */
export function* oggPages(source: ByteSource, from = 0): Generator<OggPage> {
  for (let offset = from; ; ) {
    const header = source.read(offset, headerBytes + 255);
    const count = header[26] ?? 0;
    if (header.length < headerBytes + count || header.toString('latin1', 0, 4) !== 'OggS') return;
    const sizes = header.subarray(headerBytes, headerBytes + count);
    const bodyOffset = offset + headerBytes + count;
    const end = bodyOffset + sizes.reduce((sum, size) => sum + size, 0);
    const isFirst = ((header[5] ?? 0) & 2) !== 0;
    const [serial, sequence] = [header.readUInt32LE(14), header.readUInt32LE(sequenceOffset)];
    yield { offset, serial, sequence, isFirst, sizes, bodyOffset, end };
    offset = end;
  }
}

const checksumTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value < 0 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
  return value;
});

/** Changes the number of a page, and corrects its checksum. */
export function renumberPage(page: Buffer, sequence: number): void {
  page.writeUInt32LE(sequence, sequenceOffset);
  sealPage(page);
}

/** Corrects the checksum of a page. */
export function sealPage(page: Buffer): void {
  page.writeUInt32LE(0, checksumOffset);
  let checksum = 0;
  for (const byte of page) checksum = (checksum << 8) ^ (checksumTable[(checksum >>> 24) ^ byte] ?? 0);
  page.writeUInt32LE(checksum >>> 0, checksumOffset);
}
