import type { ByteSource } from '../binary/byte-source.ts';

/** Where a demuxer found a packet. */
export interface PacketPlace {
  /** Offset in the file, in bytes: of the packet or, depending on the format, of the element that contains it. */
  readonly position: number;
  /** Size of the packet in bytes. */
  readonly size: number;
}

/** Maximum number of elements, pages or tags that are read between two packets; most are large. */
export const maxParts = 10_000;

/**
 * Returns the offset of the first byte between two packets that is no part of the format; undefined if the format
 * continues from one to the other.
 *
 * @param last - the packet before.
 * @param next - position of the packet after it.
 */
export type FindBreak = (source: ByteSource, last: PacketPlace, next: number) => number | undefined;
