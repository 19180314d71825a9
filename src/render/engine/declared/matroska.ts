import type { ByteSource, Claims } from '../binary/byte-source.ts';

/** The header of a file, and what holds all its media. */
export const EBML = 0x1a45dfa3;
export const SEGMENT = 0x18538067;

/**
 * Reads the size that a Matroska or WebM file gives its one segment (RFC 9559 §5.1), which holds all its media. Live
 * recordings leave it open and claim nothing. Returns nothing for other files.
 */
export function matroskaClaims(source: ByteSource): Claims | undefined {
  const head = readElement(source, 0);
  if (head?.id !== EBML || head.size === undefined) return undefined;
  const segment = readElement(source, head.dataOffset + head.size);
  if (segment?.id !== SEGMENT || segment.size === undefined) return {};
  const end = segment.dataOffset + segment.size;
  return end > source.size ? { cut: `its media needs ${end} bytes, and the file has ${source.size}` } : {};
}

/** The head of an EBML element. */
export interface Element {
  readonly id: number;
  /** Bytes of its data; absent when it is left open. */
  readonly size?: number;
  readonly dataOffset: number;
}

/** Reads an EBML element's head: an id of 1 to 4 bytes and a size of 1 to 8 (RFC 8794 §4 to §6). */
export function readElement(source: ByteSource, offset: number): Element | undefined {
  const bytes = source.read(offset, 12);
  const idLength = Math.clz32(bytes[0] ?? 0) - 23;
  const sizeLength = Math.clz32(bytes[idLength] ?? 0) - 23;
  if (idLength > 4 || sizeLength > 8 || bytes.length < idLength + sizeLength) return undefined;
  const id = bytes.readUIntBE(0, idLength);
  const dataOffset = offset + idLength + sizeLength;
  // The highest bit marks the length. What is left may still be more than a double tells exactly, but no file's size is.
  const digits = bytes.subarray(idLength, idLength + sizeLength);
  const size = digits.reduce((value, byte, at) => value * 256 + (at === 0 ? byte & (0xff >> sizeLength) : byte), 0);
  // All ones mean that the size is not known.
  const open = 2 ** (7 * sizeLength) - 1;
  return size >= open ? { id, dataOffset } : { id, size, dataOffset };
}
