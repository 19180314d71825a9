import { type FormatContext, Packet } from 'node-av/lib';
import type { PacketCorrection } from './packet-durations.ts';

/** Reads the next packet of a file; returns what the library returns. */
export type ReadPacket = (packet: Packet) => number;

/** Reads the packets of a file as the demuxer delivers them, but for corrections by stream. */
export function packetReader(
  context: FormatContext,
  corrections: readonly (PacketCorrection | undefined)[],
  early: readonly Packet[],
): ReadPacket {
  const deliver: ReadPacket = (packet) => context.readFrameSync(packet);
  const ordered = early.length === 0 ? deliver : inFileOrder(deliver, early);
  if (corrections.every((correct) => correct === undefined)) return ordered;
  return (packet) => {
    const got = ordered(packet);
    if (got >= 0) corrections[packet.streamIndex]?.(packet);
    return got;
  };
}

/**
 * Reads packets in the order of the file where the demuxer delivers some too late.
 *
 * @param early - those packets, which it takes over.
 */
function inFileOrder(deliver: ReadPacket, early: readonly Packet[]): ReadPacket {
  const pending = early.toSorted((a, b) => Number(a.pos - b.pos));
  const passed = new Set<string>();
  const next = new Packet();
  next.alloc();
  let waits = false;
  return (packet) => {
    while (!waits) {
      const got = deliver(next);
      if (got < 0) return got;
      waits = !passed.delete(nameOf(next));
      if (!waits) next.unref();
    }
    const [first] = pending;
    const comesNext = first !== undefined && first.pos <= next.pos;
    const source = comesNext ? first : next;
    const got = packet.ref(source);
    if (!comesNext) {
      waits = false;
      next.unref();
      return got;
    }
    pending.shift();
    if (nameOf(first) === nameOf(next)) {
      waits = false;
      next.unref();
    } else {
      passed.add(nameOf(first));
    }
    first.free();
    return got;
  };
}

/** Identifies a packet of a file. */
function nameOf({ streamIndex, pos }: Packet): string {
  return `${streamIndex} at ${pos}`;
}
