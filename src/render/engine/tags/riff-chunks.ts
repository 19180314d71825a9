import type { ByteSource } from '../binary/byte-source.ts';

/** Maximum number of chunks that are read. */
const maxChunks = 256;
/** Size of the header of a chunk in bytes. */
export const riffHeaderBytes = 8;
/** Marks a size of more than 32 bits, which the `ds64` chunk contains (EBU Tech 3306). */
export const largeSize = 0xffff_ffff;
/** Offset of the 64-bit size of the whole file in the contents of the `ds64` chunk; the size of `data` follows. */
const dataSizeOffset = 8;

/** A chunk of a WAV file. */
export interface RiffChunk {
  readonly id: string;
  /** Offset of its contents, and their size in bytes. */
  readonly offset: number;
  readonly size: number;
}

/** Yields the chunks of a WAV file, also of one over 4 GiB (RF64); none for other files. */
export function* riffChunks(source: ByteSource): Generator<RiffChunk> {
  const head = source.read(0, 12).toString('latin1');
  if (!/^(?:RIFF|RF64).{4}WAVE$/s.test(head)) return;
  let largeDataSize = 0;
  for (let offset = 12, count = 0; count < maxChunks && offset + riffHeaderBytes <= source.size; count += 1) {
    const header = source.read(offset, riffHeaderBytes);
    const id = header.toString('latin1', 0, 4);
    const stated = header.readUInt32LE(4);
    const size = id === 'data' && stated === largeSize ? largeDataSize : stated;
    offset += riffHeaderBytes;
    if (id === 'ds64' && size >= 16) {
      const bytes = source.read(offset + dataSizeOffset, 8);
      if (bytes.length === 8) largeDataSize = Number(bytes.readBigUInt64LE());
    }
    yield { id, offset, size };
    // Chunks begin at even offsets.
    offset += size + (size % 2);
  }
}
