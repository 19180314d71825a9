import type { ByteSource } from '../binary/byte-source.ts';
import type { DeclaredExtent } from '../binary/declared-extent.ts';
import { ebmlIds, readElement } from '../binary/ebml.ts';

/**
 * Reads the declared size of the single segment in a Matroska or WebM file (RFC 9559 §5.1), which contains all its
 * media. Live recordings leave the size open and declare nothing. Returns undefined for other files.
 */
export function matroskaDeclaredExtent(source: ByteSource): DeclaredExtent | undefined {
  const head = readElement(source, 0);
  if (head?.id !== ebmlIds.header || head.size === undefined) return undefined;
  const segment = readElement(source, head.dataOffset + head.size);
  if (segment?.id !== ebmlIds.segment || segment.size === undefined) return {};
  const end = segment.dataOffset + segment.size;
  return end > source.size
    ? { truncationReason: `its media needs ${end} bytes, but the file has only ${source.size}` }
    : {};
}
