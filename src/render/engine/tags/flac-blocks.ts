import type { ByteSource } from '../binary/byte-source.ts';
import { skipId3Tag } from '../binary/id3-tag.ts';

/** Maximum number of metadata blocks in a file. */
const maxBlocks = 256;

/** Kinds of metadata blocks (RFC 9639 §8.1). */
export const flacBlockKinds = { streamInfo: 0, padding: 1, comments: 4, cueSheet: 5, picture: 6 } as const;

/** Size of the header of a metadata block in bytes. */
export const flacBlockHeaderBytes = 4;

/** A metadata block of a FLAC file. */
interface FlacBlock {
  readonly kind: number;
  /** Offset of its contents in the file, and their size in bytes. */
  readonly offset: number;
  readonly size: number;
}

/** Yields the metadata blocks of a FLAC file; none for other files. */
export function* flacBlocks(source: ByteSource): Generator<FlacBlock> {
  let offset = skipId3Tag(source);
  if (source.read(offset, 4).toString('latin1') !== 'fLaC') return;
  offset += 4;
  for (let block = 0; block < maxBlocks; block += 1) {
    const header = source.read(offset, flacBlockHeaderBytes);
    if (header.length < flacBlockHeaderBytes) return;
    const [kind, size] = [header.readUInt8(0), header.readUIntBE(1, 3)];
    offset += flacBlockHeaderBytes;
    yield { kind: kind & 0x7f, offset, size };
    if (kind >= 0x80) return;
    offset += size;
  }
}

/** Builds the header of a metadata block. */
export function flacBlockHeader(kind: number, size: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(flacBlockHeaderBytes);
  header.writeUInt8(kind + (isLast ? 0x80 : 0), 0);
  header.writeUIntBE(size, 1, 3);
  return header;
}
