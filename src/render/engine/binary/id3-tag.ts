import type { ByteSource } from './byte-source.ts';

/**
 * Returns the offset of the first byte after a file's ID3v2 tag, whose length is stored as four bytes of seven bits; 0
 * without a tag.
 */
export function skipId3Tag(source: ByteSource): number {
  const head = source.read(0, 10);
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0;
  const length = head.subarray(6, 10).reduce((value, byte) => value * 128 + (byte & 0x7f), 0);
  const footer = ((head[5] ?? 0) & 0x10) === 0 ? 0 : 10;
  return 10 + length + footer;
}
