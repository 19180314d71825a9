import type { ByteSource } from '../binary/byte-source.ts';
import { maxParts, type PacketPlace } from './packet-place.ts';

/** Size of a page's header without its table of segments, in bytes (RFC 3533 §6). */
const headerBytes = 27;
const checksumOffset = 22;

/** Finds damage in Ogg, whose packets are at the beginning of the page that they begin in. */
export function findOggBreak(source: ByteSource, last: PacketPlace, next: number): number | undefined {
  let offset = last.position;
  for (let count = 0; offset < next && count < maxParts; count += 1) {
    const bytes = pageBytes(source, offset);
    // The packet before was read from its page, so that page is intact.
    if (bytes === undefined || (offset > last.position && !isIntact(source.read(offset, bytes)))) return offset;
    offset += bytes;
  }
  return undefined;
}

/** Returns the size of the page at an offset; undefined for other bytes. */
function pageBytes(source: ByteSource, offset: number): number | undefined {
  const header = source.read(offset, headerBytes + 255);
  if (header.length < headerBytes || header.toString('latin1', 0, 4) !== 'OggS') return undefined;
  const end = headerBytes + header.readUInt8(headerBytes - 1);
  return header.subarray(headerBytes, end).reduce((sum, segment) => sum + segment, end);
}

/** Whether a page has its checksum: a CRC with the polynomial 0x04c11db7 over the page, with zeros in its place. */
function isIntact(page: Buffer): boolean {
  const expected = page.readUInt32LE(checksumOffset);
  let checksum = 0;
  page.forEach((byte, at) => {
    const isChecksum = at >= checksumOffset && at < checksumOffset + 4;
    checksum = (checksum << 8) ^ (checksumTable[(checksum >>> 24) ^ (isChecksum ? 0 : byte)] ?? 0);
  });
  return checksum >>> 0 === expected;
}

const checksumTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value >>> 0;
});
