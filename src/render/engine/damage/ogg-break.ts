import type { ByteSource } from '../binary/byte-source.ts';
import { isIntactOggPage, sizeOfOggPage } from '../binary/ogg-page.ts';
import { maxParts, type PacketPlace } from './packet-place.ts';

/** Finds damage in Ogg, whose packets are at the beginning of the page that they begin in. */
export function findOggBreak(source: ByteSource, last: PacketPlace, next: number): number | undefined {
  let offset = last.position;
  for (let count = 0; offset < next && count < maxParts; count += 1) {
    const bytes = sizeOfOggPage(source, offset);
    // The packet before was read from its page, so that page is intact.
    if (bytes === undefined || (offset > last.position && !isIntactOggPage(source.read(offset, bytes)))) return offset;
    offset += bytes;
  }
  return undefined;
}
