import type { ByteSource } from './byte-source.ts';
import { decline } from './fast-path-declined.ts';

/**
 * IDs of the EBML header, of the segment, and of the elements in the segment that readers stop at or skip (RFC 9559
 * §5.1).
 */
export const ebmlIds = {
  ...{ header: 0x1a45dfa3, segment: 0x18538067, tracks: 0x1654ae6b, cluster: 0x1f43b675 },
  ...{ void: 0xec },
} as const;

/** IDs of the elements in a segment and in a cluster (RFC 9559 §5.1), and of those anywhere (RFC 8794 §11.3). */
const knownIds = new Set<number>([
  ...Object.values(ebmlIds),
  // SeekHead, Info, Cues, Attachments, Chapters and Tags.
  ...[0x114d9b74, 0x1549a966, 0x1c53bb6b, 0x1941a469, 0x1043a770, 0x1254c367],
  // Timestamp, SilentTracks, Position, PrevSize, SimpleBlock, BlockGroup, EncryptedBlock and the checksum.
  ...[0xe7, 0x5854, 0xa7, 0xab, 0xa3, 0xa0, 0xaf, 0xbf],
  // In a block group: Block, BlockVirtual, BlockAdditions, BlockDuration, ReferencePriority, ReferenceBlock,
  // ReferenceVirtual, CodecState, DiscardPadding, Slices and ReferenceFrame.
  ...[0xa1, 0xa2, 0x75a1, 0x9b, 0xfa, 0xfb, 0xfd, 0xa4, 0x75a2, 0x8e, 0xc8],
]);

/** Whether an ID belongs to an element of a segment, of a cluster or of a block group. */
export function isKnownElement(id: number): boolean {
  return knownIds.has(id);
}

/** Maximum number of elements that are read from a segment: enough for fourteen hours of half-second clusters. */
const maxElements = 100_000;
/** Maximum number of child elements of one element. */
const maxChildren = 10_000;
/** Maximum size of a number in bytes (RFC 8794 §7.2). */
const maxUintBytes = 8;

/** The header of an EBML element. */
interface Element {
  readonly id: number;
  /** Size of its data in bytes; absent if the element does not declare it. */
  readonly size?: number;
  readonly dataOffset: number;
}

/** Reads the header of an EBML element: an ID of 1 to 4 bytes and a size of 1 to 8 bytes (RFC 8794 §4 to §6). */
export function readElement(source: ByteSource, offset: number): Element | undefined {
  const bytes = source.read(offset, 12);
  const idLength = Math.clz32(bytes[0] ?? 0) - 23;
  const sizeLength = Math.clz32(bytes[idLength] ?? 0) - 23;
  if (idLength > 4 || sizeLength > 8 || bytes.length < idLength + sizeLength) return undefined;
  const id = bytes.readUIntBE(0, idLength);
  const dataOffset = offset + idLength + sizeLength;
  // The highest set bit marks the length of the field. The remaining value may exceed what a double represents exactly,
  // but no file is that large.
  const digits = bytes.subarray(idLength, idLength + sizeLength);
  const size = digits.reduce((value, byte, at) => value * 256 + (at === 0 ? byte & (0xff >> sizeLength) : byte), 0);
  // A value of all ones means that the size is unknown.
  const unknownSize = 2 ** (7 * sizeLength) - 1;
  return size >= unknownSize ? { id, dataOffset } : { id, size, dataOffset };
}

/**
 * Yields the elements of a file's segment in order. Stops at an element without a declared size, as in live recordings.
 */
export function* segmentElements(source: ByteSource): Generator<Element & { readonly offset: number }> {
  const head = readElement(source, 0);
  if (head?.id !== ebmlIds.header || head.size === undefined) return;
  const segment = readElement(source, head.dataOffset + head.size);
  if (segment?.id !== ebmlIds.segment) return;
  const end = Math.min(source.size, segment.dataOffset + (segment.size ?? source.size));
  let offset = segment.dataOffset;
  for (let count = 0; count < maxElements && offset < end; count += 1) {
    const element = readElement(source, offset);
    if (element?.size === undefined) return;
    yield { ...element, offset };
    offset = element.dataOffset + element.size;
  }
}

/**
 * Returns the number in the first element with the given ID, or `fallback`.
 *
 * @throws FastPathDeclined for a number of more than eight bytes.
 */
export function uintOf(parts: readonly ChildElement[], id: number, fallback: number): number {
  const body = parts.find((part) => part.id === id)?.body;
  if (body === undefined) return fallback;
  if (body.length > maxUintBytes) decline('one of its numbers is too long');
  return body.reduce((value, byte) => value * 256 + byte, 0);
}

/** An element inside another element. */
export interface ChildElement {
  readonly id: number;
  readonly body: Buffer;
}

/**
 * Reads the child elements in an element's body.
 *
 * @param limit - maximum number of elements.
 * @throws FastPathDeclined when they do not fill the body exactly, or when there are too many.
 */
export function childElements(body: Buffer, limit = maxChildren): ChildElement[] {
  return [...walkElements(body, limit)];
}

/** Yields the elements of {@link childElements} one by one. */
export function* walkElements(body: Buffer, limit: number): Generator<ChildElement, void> {
  const source = { size: body.length, read: (at: number, length: number) => body.subarray(at, at + length) };
  let count = 0;
  for (let offset = 0; offset < body.length; count += 1) {
    const element = readElement(source, offset);
    if (element?.size === undefined || element.dataOffset + element.size > body.length) decline('they are damaged');
    if (count === limit) decline('they have too many parts');
    const end = element.dataOffset + element.size;
    yield { id: element.id, body: body.subarray(element.dataOffset, end) };
    offset = end;
  }
}
