import type { ByteSource } from '../binary/byte-source.ts';
import type { DeclaredExtent } from '../binary/declared-extent.ts';
import { ebmlIds, readElement } from '../binary/ebml.ts';

/**
 * Reads the size that a Matroska or WebM file gives its one segment (RFC 9559 §5.1), which holds all its media. Live
 * recordings leave it open and claim nothing. Returns nothing for other files.
 */
export function matroskaDeclaredExtent(source: ByteSource): DeclaredExtent | undefined {
  const head = readElement(source, 0);
  if (head?.id !== ebmlIds.header || head.size === undefined) return undefined;
  const segment = readElement(source, head.dataOffset + head.size);
  if (segment?.id !== ebmlIds.segment || segment.size === undefined) return {};
  const end = segment.dataOffset + segment.size;
  return end > source.size ? { truncationReason: `its media needs ${end} bytes, and the file has ${source.size}` } : {};
}
