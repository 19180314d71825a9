import type { ByteSource } from '../binary/byte-source.ts';
import type { PacketPlace } from './packet-place.ts';

/** First byte of each packet (ISO/IEC 13818-1 §2.4.3.2). */
const syncByte = 0x47;
/** Sizes of packets in bytes: plain, with a time (Blu-ray), and with error correction. */
const packetSizes = [188, 192, 204];
/** Number of packets that are read at a time. */
const packetsPerRead = 350;

/** Finds damage in MPEG transport streams, whose packets all begin with the same byte. */
export function findTransportStreamBreak(source: ByteSource, last: PacketPlace, next: number): number | undefined {
  const bytes = packetSizes.find((size) => isPacket(source, last.position, size));
  if (bytes === undefined) return undefined;
  for (let offset = last.position; offset < next; offset += packetsPerRead * bytes) {
    const block = source.read(offset, Math.min(packetsPerRead * bytes, next - offset));
    for (let at = 0; at < block.length; at += bytes) if (block[at] !== syncByte) return offset + at;
  }
  return undefined;
}

/** Whether packets of a size are around an offset: after it or, if the damage begins there, before it. */
function isPacket(source: ByteSource, offset: number, size: number): boolean {
  return [
    [0, 1, 2],
    [0, -1, -2],
  ].some((places) => places.every((at) => source.read(Math.max(0, offset + at * size), 1)[0] === syncByte));
}
