import type { ByteSource } from './byte-source.ts';

/** Size of a page's header without its table of segments, in bytes (RFC 3533 §6). */
const headerBytes = 27;
const checksumOffset = 22;

/** Returns the size of the Ogg page at an offset, which the file may not contain wholly; undefined for other bytes. */
export function sizeOfOggPage(source: ByteSource, offset: number): number | undefined {
  const header = source.read(offset, headerBytes + 255);
  if (header.length < headerBytes || header.toString('latin1', 0, 4) !== 'OggS') return undefined;
  const end = headerBytes + header.readUInt8(headerBytes - 1);
  return header.subarray(headerBytes, end).reduce((sum, segment) => sum + segment, end);
}

/** Whether an Ogg page has its checksum: a CRC with the polynomial 0x04c11db7 over the page, with zeros in its place. */
export function isIntactOggPage(page: Buffer): boolean {
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
