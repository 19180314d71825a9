import { type FormatContext, Packet } from 'node-av/lib';

/** Packets that are read to find the first one of each stream. */
const maxPackets = 1000;

/**
 * Passes on the first packet of each of the given streams, for as long as the call lasts.
 *
 * @param reader - the file, opened once more, since what is read from it is gone.
 * @param maxBytes - how far it may be read: it may still be arriving.
 */
export function readFirstPackets(
  reader: FormatContext,
  maxBytes: bigint,
  streams: readonly number[],
  take: (packet: Packet) => void,
): void {
  const open = new Set(streams);
  const packet = new Packet();
  packet.alloc();
  for (let count = 0; count < maxPackets && open.size > 0 && reader.pbBytes <= maxBytes; count += 1) {
    if (reader.readFrameSync(packet) < 0) break;
    if (open.delete(packet.streamIndex)) take(packet);
    packet.unref();
  }
  packet.free();
}
