import type { ByteSource } from '../binary/byte-source.ts';
import type { DeclaredExtent } from '../binary/declared-extent.ts';
import { isIntactOggPage, sizeOfOggPage } from '../binary/ogg-page.ts';

/** Number of bytes at the end of a file in which its last pages are. A page has at most 65,307. */
const endBytes = 256 * 1024;
/** Maximum number of marks of pages that are checked; the mark may also be a part of the media. */
const maxMarks = 100;

/**
 * Reads the declared size of the last page of an Ogg file (RFC 3533 §6). A last page that is not marked as such is no
 * evidence of a cut: recordings and streams end with one. Returns undefined for other files.
 */
export function oggDeclaredExtent(source: ByteSource): DeclaredExtent | undefined {
  if (sizeOfOggPage(source, 0) === undefined) return undefined;
  const start = Math.max(0, source.size - endBytes);
  const bytes = source.read(start, endBytes);
  let at = bytes.indexOf('OggS');
  for (let count = 0; at >= 0 && count < maxMarks; count += 1, at = bytes.indexOf('OggS', at + 1)) {
    const size = sizeOfOggPage(source, start + at);
    if (size !== undefined && start + at + size <= source.size && isIntactOggPage(bytes.subarray(at, at + size)))
      return extentFrom(source, start + at + size);
  }
  return {};
}

/** Follows the pages from the end of an intact one. */
function extentFrom(source: ByteSource, firstOffset: number): DeclaredExtent {
  let offset = firstOffset;
  for (let size = sizeOfOggPage(source, offset); size !== undefined; size = sizeOfOggPage(source, offset))
    offset += size;
  return offset > source.size
    ? { truncationReason: `its last page needs ${offset} bytes, but the file has only ${source.size}` }
    : {};
}
