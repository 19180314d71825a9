import type { Packet } from 'node-av/lib';

/** Replaces the contents of a packet. Assigning new data resets the packet, so its other fields are set again. */
export function replaceData(packet: Packet, data: Buffer): void {
  const { pts, dts, duration, flags, pos, streamIndex } = packet;
  packet.data = data;
  packet.pts = pts;
  packet.dts = dts;
  packet.duration = duration;
  packet.flags = flags;
  packet.pos = pos;
  packet.streamIndex = streamIndex;
}
