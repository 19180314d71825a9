import { type FormatContext, Packet } from 'node-av/lib';
import type { PacketCorrection } from './packet-times.ts';

/** Reads the next packet of a file and returns the library's result code. */
export type ReadPacket = (packet: Packet) => number;

/** Creates a reader that delivers packets as the demuxer does, with corrections for each stream. */
export function createPacketReader(
  context: FormatContext,
  corrections: readonly (PacketCorrection | undefined)[],
  earlyPackets: readonly Packet[],
): ReadPacket {
  const deliver: ReadPacket = (packet) => context.readFrameSync(packet);
  const readInOrder = earlyPackets.length === 0 ? deliver : inFileOrder(deliver, earlyPackets);
  if (corrections.every((correct) => correct === undefined)) return readInOrder;
  return (packet) => {
    const result = readInOrder(packet);
    if (result >= 0) corrections[packet.streamIndex]?.(packet);
    return result;
  };
}

/**
 * Restores the file order of packets that the demuxer delivers too late.
 *
 * @param earlyPackets - copies of the packets that the demuxer will deliver too late; the reader takes ownership of
 * them.
 */
function inFileOrder(deliver: ReadPacket, earlyPackets: readonly Packet[]): ReadPacket {
  const pending = earlyPackets.toSorted((a, b) => Number(a.pos - b.pos));
  const delivered = new Set<string>();
  const next = new Packet();
  next.alloc();
  let isNextRead = false;
  return (packet) => {
    while (!isNextRead) {
      const result = deliver(next);
      if (result < 0) return result;
      isNextRead = !delivered.delete(packetKey(next));
      if (!isNextRead) next.unref();
    }
    const [first] = pending;
    const comesNext = first !== undefined && first.pos <= next.pos;
    const source = comesNext ? first : next;
    const result = packet.ref(source);
    if (!comesNext) {
      isNextRead = false;
      next.unref();
      return result;
    }
    pending.shift();
    if (packetKey(first) === packetKey(next)) {
      isNextRead = false;
      next.unref();
    } else {
      delivered.add(packetKey(first));
    }
    first.free();
    return result;
  };
}

/** Returns a key that identifies a packet of a file. */
function packetKey({ streamIndex, pos }: Packet): string {
  return `${streamIndex} at ${pos}`;
}
