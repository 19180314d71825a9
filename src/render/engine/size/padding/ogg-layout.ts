/** Size of the header of a page without its segment table, and maximum number of segments (RFC 3533 §6). */
const headerBytes = 27;
const maxSegments = 255;

/** A part of the packets of a stream. The rest consists of zeros. */
interface Content {
  /** Offset in all packets together. */
  readonly at: number;
  readonly bytes: Buffer;
}

/** Returns the size of the pages of packets with the given sizes, in bytes. */
export function layoutBytes(lengths: readonly number[]): number {
  const segments = lengths.reduce((sum, length) => sum + Math.floor(length / 255) + 1, 0);
  const contentBytes = lengths.reduce((sum, length) => sum + length, 0);
  return contentBytes + segments + headerBytes * Math.ceil(segments / maxSegments);
}

/**
 * Yields the pages of header packets, which have no position in time. Their numbers and checksums are missing.
 *
 * @param lengths - sizes of the packets in bytes.
 */
export function* layPages(lengths: readonly number[], serial: number, contents: readonly Content[]): Generator<Buffer> {
  let at = 0;
  let sizes: number[] = [];
  let [isContinued, endsPacket] = [false, false];
  const layPage = () => {
    const header = Buffer.alloc(headerBytes + sizes.length);
    header.write('OggS', 'latin1');
    header.writeUInt8(isContinued ? 1 : 0, 5);
    // A page on which no packet ends has no position.
    header.writeBigInt64LE(endsPacket ? 0n : -1n, 6);
    header.writeUInt32LE(serial, 14);
    header.writeUInt8(sizes.length, headerBytes - 1);
    header.set(sizes, headerBytes);
    const body = Buffer.alloc(sizes.reduce((sum, size) => sum + size, 0));
    for (const content of contents) {
      // copy() accepts only positive offsets.
      const skipped = Math.max(0, at - content.at);
      if (skipped < content.bytes.length && content.at < at + body.length) {
        content.bytes.copy(body, Math.max(0, content.at - at), skipped);
      }
    }
    at += body.length;
    isContinued = sizes.at(-1) === 255;
    endsPacket = false;
    sizes = [];
    return Buffer.concat([header, body]);
  };
  for (const length of lengths) {
    for (let left = length; left >= 0; left -= 255) {
      sizes.push(Math.min(left, 255));
      endsPacket ||= left < 255;
      if (sizes.length === maxSegments) yield layPage();
    }
  }
  if (sizes.length > 0) yield layPage();
}
