import type { ByteSource } from '../binary/byte-source.ts';
import { ebmlIds, isKnownElement, readElement } from '../binary/ebml.ts';
import { maxParts, type PacketPlace } from './packet-place.ts';

/** IDs of a block, in a cluster and in a block group. */
const blockIds = [0xa3, 0xa1];
/** Maximum length of the size of an element, in bytes (RFC 8794 §6). */
const maxSizeBytes = 8;

/** Finds damage in Matroska and WebM, whose packets are at the contents of their blocks. */
export function findMatroskaBreak(source: ByteSource, last: PacketPlace, next: number): number | undefined {
  let offset = endOfBlock(source, last.position);
  for (let count = 0; offset !== undefined && offset < next && count < maxParts; count += 1) {
    const element = readElement(source, offset);
    if (element === undefined || !isKnownElement(element.id)) return offset;
    // Blocks are in clusters, some of which do not state their sizes.
    const isEntered = element.id === ebmlIds.cluster || element.size === undefined;
    offset = element.dataOffset + (isEntered ? 0 : (element.size ?? 0));
  }
  return undefined;
}

/** Returns the end of the block whose contents begin at an offset. */
function endOfBlock(source: ByteSource, contents: number): number | undefined {
  for (let length = 1; length <= maxSizeBytes; length += 1) {
    const element = readElement(source, contents - length - 1);
    if (element?.size !== undefined && element.dataOffset === contents && blockIds.includes(element.id))
      return contents + element.size;
  }
  return undefined;
}
