import type { ByteSource } from '../binary/byte-source.ts';
import type { DeclaredExtent } from '../binary/declared-extent.ts';

/** Maximum number of chunks that are read. A large AVI has one for each gigabyte. */
const maxChunks = 64;

/** Sizes from this value on mean "not known yet". Recorders that cannot seek back leave them in the file. */
const openSize = 0x7fff_0000;

/**
 * Walks the RIFF chunks of a WAV or AVI file. Each chunk declares its length, so a file that ends inside one is
 * truncated. Returns undefined for other files.
 */
export function riffDeclaredExtent(source: ByteSource): DeclaredExtent | undefined {
  let offset = 0;
  for (let count = 0; count < maxChunks && offset + 12 <= source.size; count += 1) {
    const head = source.read(offset, 12);
    // After the first chunk, anything that is not a RIFF chunk is junk.
    if (head.toString('latin1', 0, 4) !== 'RIFF') return count === 0 ? undefined : {};
    const size = head.readUInt32LE(4);
    if (size === 0 || size >= openSize) return {};
    const end = offset + 8 + size;
    if (end > source.size) {
      return { truncationReason: `its media needs ${end} bytes, but the file has only ${source.size}` };
    }
    offset = end + (size % 2);
  }
  return offset === 0 ? undefined : {};
}
