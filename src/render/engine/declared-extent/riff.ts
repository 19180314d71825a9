import type { ByteSource } from '../binary/byte-source.ts';
import type { DeclaredExtent } from '../binary/declared-extent.ts';

/** Chunks looked at, at most. A large AVI has one for each gigabyte. */
const maxChunks = 64;

/** Sizes from here on stand for "not known yet", as recorders that cannot go back leave them. */
const openSize = 0x7fff_0000;

/**
 * Walks the RIFF chunks of a WAV or AVI file: each says how long it is, so a file that ends inside one is cut short.
 * Returns nothing for other files.
 */
export function riffDeclaredExtent(source: ByteSource): DeclaredExtent | undefined {
  let offset = 0;
  for (let count = 0; count < maxChunks && offset + 12 <= source.size; count += 1) {
    const head = source.read(offset, 12);
    // Behind the first chunk, anything else is junk.
    if (head.toString('latin1', 0, 4) !== 'RIFF') return count === 0 ? undefined : {};
    const size = head.readUInt32LE(4);
    if (size === 0 || size >= openSize) return {};
    const end = offset + 8 + size;
    if (end > source.size) return { truncationReason: `its media needs ${end} bytes, and the file has ${source.size}` };
    offset = end + (size % 2);
  }
  return offset === 0 ? undefined : {};
}
