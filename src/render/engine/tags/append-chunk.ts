import { appendFileSync, statSync } from 'node:fs';
import { latin1 } from '../binary/big-endian.ts';
import { withFile } from '../binary/byte-source.ts';
import { insertZeros } from '../binary/insert-zeros.ts';
import { overwrite } from '../binary/overwrite.ts';
import { largeSize, riffChunks, riffHeaderBytes } from './riff-chunks.ts';

/** Appends a chunk to a WAV file: its contents, and then a number of zeros. */
export function appendChunk(path: string, id: string, contents: Buffer, zeros = 0): void {
  const size = contents.length + zeros;
  const header = Buffer.alloc(riffHeaderBytes);
  header.write(id, 'latin1');
  header.writeUInt32LE(size, 4);
  // Chunks begin at even offsets.
  appendFileSync(path, Buffer.concat([Buffer.alloc(statSync(path).size % 2), header, contents]));
  insertZeros(path, statSync(path).size, zeros + (size % 2));
  writeFileSize(path);
}

/** Corrects the size of the whole file in its header, which is in the `ds64` chunk of files over 4 GiB. */
function writeFileSize(path: string): void {
  const contentBytes = statSync(path).size - riffHeaderBytes;
  const { isLarge, sizes } = withFile(path, (source) => ({
    isLarge: source.read(0, 4).equals(latin1('RF64')),
    sizes: riffChunks(source).find(({ id }) => id === 'ds64'),
  }));
  if (isLarge && sizes !== undefined) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(contentBytes));
    overwrite(path, sizes.offset, bytes);
  } else {
    const bytes = Buffer.alloc(4);
    // Readers take this size to mean "until the end of the file".
    bytes.writeUInt32LE(Math.min(largeSize, contentBytes));
    overwrite(path, 4, bytes);
  }
}
