import { withFile } from '../../binary/byte-source.ts';
import { insertZeros } from '../../binary/insert-zeros.ts';
import { overwrite } from '../../binary/overwrite.ts';
import { flacBlockHeader, flacBlockHeaderBytes, flacBlockKinds, flacBlocks } from '../../tags/flac-blocks.ts';

/** Maximum size of the contents of a block, which has 24 bits, and of the blocks that readers accept. */
const maxContentBytes = 2 ** 24 - 1;
export const maxFlacPadding = 200 * maxContentBytes;

/** Adds blocks of padding (RFC 9639 §8.3) after the last metadata block of a FLAC file. */
export function padFlac(path: string, bytes: number): number {
  const last = withFile(path, (source) => [...flacBlocks(source)].at(-1));
  if (last === undefined) throw new Error('a FLAC file has no metadata');
  let offset = last.offset + last.size;
  const blocks = Math.ceil(bytes / (flacBlockHeaderBytes + maxContentBytes));
  const total = Math.max(bytes, blocks * flacBlockHeaderBytes);
  insertZeros(path, offset, total);
  overwrite(path, last.offset - flacBlockHeaderBytes, flacBlockHeader(last.kind, last.size, false));
  for (let left = total, block = 1; block <= blocks; block += 1) {
    const isLast = block === blocks;
    const size = isLast ? left - flacBlockHeaderBytes : maxContentBytes;
    overwrite(path, offset, flacBlockHeader(flacBlockKinds.padding, size, isLast));
    offset += flacBlockHeaderBytes + size;
    left -= flacBlockHeaderBytes + size;
  }
  return total;
}
