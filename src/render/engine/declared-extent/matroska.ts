import type { ByteSource } from '../binary/byte-source.ts';
import type { DeclaredExtent } from '../binary/declared-extent.ts';
import { ebmlIds, isKnownElement, readElement } from '../binary/ebml.ts';

/** Maximum number of elements that are read: two hours of a recording. */
const maxElements = 1_000_000;

/**
 * Reads the declared size of the single segment in a Matroska or WebM file (RFC 9559 §5.1), which contains all its
 * media. Live recordings leave the size open. They are cut short if their last block is. Returns undefined for other
 * files.
 */
export function matroskaDeclaredExtent(source: ByteSource): DeclaredExtent | undefined {
  const head = readElement(source, 0);
  if (head?.id !== ebmlIds.header || head.size === undefined) return undefined;
  const segment = readElement(source, head.dataOffset + head.size);
  if (segment?.id !== ebmlIds.segment) return {};
  if (segment.size === undefined) return extentOfRecording(source, segment.dataOffset);
  const end = segment.dataOffset + segment.size;
  return end > source.size
    ? { truncationReason: `its media needs ${end} bytes, but the file has only ${source.size}` }
    : {};
}

/** Follows the elements of a recording to its end. Clusters may have no size, too; their blocks always have one. */
function extentOfRecording(source: ByteSource, start: number): DeclaredExtent {
  let offset = start;
  for (let count = 0; count < maxElements && offset < source.size; count += 1) {
    const element = readElement(source, offset);
    if (element === undefined || !isKnownElement(element.id)) return {};
    const end = element.dataOffset + (element.size ?? 0);
    if (end > source.size) {
      return { truncationReason: `its last part needs ${end} bytes, but the file has only ${source.size}` };
    }
    offset = end;
  }
  return {};
}
