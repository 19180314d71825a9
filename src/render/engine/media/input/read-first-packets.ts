import { type FormatContext, Packet } from 'node-av/lib';

/** Maximum number of packets that are read. */
const maxPackets = 1000;

/**
 * Reads a file from its beginning and passes on the packets of the given streams, each valid only during the call.
 *
 * @param reader - the file, opened again, because the packets that are read from it are consumed.
 * @param maxBytes - limit for the read position, because the file may still be growing.
 * @param take - returns whether it needs no more packets of the stream.
 */
export function readFirstPackets(
  reader: FormatContext,
  maxBytes: bigint,
  streams: readonly number[],
  take: (packet: Packet) => boolean,
): void {
  const openStreams = new Set(streams);
  const packet = new Packet();
  packet.alloc();
  for (let count = 0; count < maxPackets && openStreams.size > 0 && reader.pbBytes <= maxBytes; count += 1) {
    if (reader.readFrameSync(packet) < 0) break;
    if (openStreams.has(packet.streamIndex) && take(packet)) openStreams.delete(packet.streamIndex);
    packet.unref();
  }
  packet.free();
}
