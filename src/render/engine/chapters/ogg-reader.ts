import type { ByteSource } from '../binary/byte-source.ts';
import type { Chapter } from './chapter.ts';
import { parseChapterComments } from './vorbis-comments.ts';

/**
 * Maximum number of pages and bytes for the headers of all streams. Headers with a cover image take a few megabytes.
 */
const maxPages = 4096;
const maxHeadBytes = 32 * 1024 * 1024;

/** Prefixes of comment packets. FLAC's begin with a four-byte block header instead. */
const commentSignatures = ['OpusTags', '\x03vorbis', '\x81theora'];

/** Reads the chapters of an Ogg file (RFC 3533). Each stream stores its comments in its second packet. */
export function readOggChapters(source: ByteSource): Chapter[] {
  for (const packet of readSecondPackets(source)) {
    const signature = commentSignatures.find((each) => packet.toString('latin1', 0, each.length) === each);
    const flac = packet.length > 4 && ((packet[0] ?? 0) & 0x7f) === 4;
    if (signature === undefined && !flac) continue;
    const chapters = parseChapterComments(packet.subarray(signature?.length ?? 4));
    if (chapters.length > 0) return chapters;
  }
  return [];
}

/**
 * A stream whose second packet is incomplete: the parts of the current packet so far, and the number of packets before
 * it.
 */
interface Head {
  parts: Buffer[];
  packets: number;
}

function* readSecondPackets(source: ByteSource): Generator<Buffer> {
  const heads = new Map<number, Head>();
  let offset = 0;
  for (let page = 0; page < maxPages && offset < maxHeadBytes; page += 1) {
    const header = source.read(offset, 27 + 255);
    const segments = header[26] ?? 0;
    if (header.length < 27 + segments || header.toString('latin1', 0, 4) !== 'OggS') return;
    const serial = header.readUInt32LE(14);
    const sizes = header.subarray(27, 27 + segments);
    const first = ((header[5] ?? 0) & 2) !== 0;
    // The first pages of all streams precede every other page.
    if (first) heads.set(serial, { parts: [], packets: 0 });
    else if (heads.size === 0) return;
    const bodyBytes = sizes.reduce((sum, size) => sum + size, 0);
    const head = heads.get(serial);
    const body = head === undefined ? Buffer.alloc(0) : source.read(offset + 27 + segments, bodyBytes);
    offset += 27 + segments + bodyBytes;
    let at = 0;
    for (const size of head === undefined ? [] : sizes) {
      if (head === undefined) break;
      head.parts.push(body.subarray(at, at + size));
      at += size;
      // A segment of fewer than 255 bytes ends its packet.
      if (size === 255) continue;
      if (head.packets === 1) {
        yield Buffer.concat(head.parts);
        heads.delete(serial);
        break;
      }
      head.packets += 1;
      head.parts = [];
    }
  }
}
