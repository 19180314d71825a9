import type { ByteSource } from '../binary/byte-source.ts';
import { maxParts, type PacketPlace } from './packet-place.ts';

/** Sizes of a tag's header, and of the size of the previous tag before it, in bytes (FLV 10.1, annex E.4.1). */
const headerBytes = 11;
const previousSizeBytes = 4;
/** Types of tags: audio, video and script data. */
const tagTypes = [8, 9, 18];

/** Finds damage in FLV, whose packets are at the beginning of their tags. */
export function findFlvBreak(source: ByteSource, { position }: PacketPlace, next: number): number | undefined {
  let offset = position;
  for (let count = 0; offset < next && count < maxParts; count += 1) {
    const bytes = sizeOfTag(source, offset);
    if (bytes === undefined) return offset;
    offset += bytes + previousSizeBytes;
  }
  return undefined;
}

/** Returns the size of a tag with its header; undefined for other bytes. */
function sizeOfTag(source: ByteSource, offset: number): number | undefined {
  const header = source.read(offset, headerBytes);
  // The upper bits mark encryption. The stream is always 0.
  if (header.length < headerBytes || !tagTypes.includes(header.readUInt8(0) & 0x1f) || header.readUIntBE(8, 3) !== 0)
    return undefined;
  return headerBytes + header.readUIntBE(1, 3);
}
