import type { ByteSource } from '../binary/byte-source.ts';
import { type OggPage, oggPages } from './ogg-pages.ts';

/**
 * Maximum number of pages and bytes for the headers of all streams. Headers with a cover image take a few megabytes.
 */
const maxPages = 4096;
const maxHeadBytes = 32 * 1024 * 1024;

/** Prefixes of comment packets. FLAC's begin with a four-byte block header instead. */
const commentSignatures = ['OpusTags', '\x03vorbis', '\x81theora'];

/**
 * Yields the comment headers of an Ogg file (RFC 3533), one for each stream. Each stream stores its comments in its
 * second packet.
 */
export function* readOggComments(source: ByteSource): Generator<Buffer> {
  for (const { parts } of readSecondPackets(source)) {
    const header = commentHeaderOf(Buffer.concat(parts.map(({ bytes }) => bytes)));
    if (header !== undefined) yield header;
  }
}

/** Returns the comment header in the second packet of a stream; undefined if the packet has none. */
export function commentHeaderOf(packet: Buffer): Buffer | undefined {
  const signature = commentSignatures.find((each) => packet.toString('latin1', 0, each.length) === each);
  const flac = packet.length > 4 && ((packet[0] ?? 0) & 0x7f) === 4;
  return signature === undefined && !flac ? undefined : packet.subarray(signature?.length ?? 4);
}

/** A packet, in the parts that its pages hold. */
export interface OggPacket {
  readonly parts: readonly { readonly page: OggPage; readonly offset: number; readonly bytes: Buffer }[];
}

/**
 * A stream whose second packet is incomplete: the parts of the current packet so far, and the number of packets before
 * it.
 */
interface Head {
  parts: OggPacket['parts'][number][];
  packets: number;
}

/** Yields the second packet of each stream, or as much of it as the limits allow: its padding may be longer. */
export function* readSecondPackets(source: ByteSource): Generator<OggPacket> {
  const heads = new Map<number, Head>();
  let count = 0;
  for (const page of oggPages(source)) {
    if (count === maxPages || page.offset >= maxHeadBytes) {
      for (const { parts, packets } of heads.values()) if (packets === 1) yield { parts };
      return;
    }
    count += 1;
    // The first pages of all streams precede every other page.
    if (page.isFirst) heads.set(page.serial, { parts: [], packets: 0 });
    else if (heads.size === 0) return;
    const head = heads.get(page.serial);
    if (head === undefined) continue;
    const body = source.read(page.bodyOffset, page.end - page.bodyOffset);
    let at = 0;
    for (const size of page.sizes) {
      head.parts.push({ page, offset: page.bodyOffset + at, bytes: body.subarray(at, at + size) });
      at += size;
      // A segment of fewer than 255 bytes ends its packet.
      if (size === 255) continue;
      if (head.packets === 1) {
        yield { parts: head.parts };
        heads.delete(page.serial);
        break;
      }
      head.packets += 1;
      head.parts = [];
    }
  }
}
