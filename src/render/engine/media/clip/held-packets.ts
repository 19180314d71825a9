import type { Packet } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import { clipRounding, stillSeconds } from '../../timing/clip-rules.ts';

/** Maximum size of all held packets of one stream, in bytes: 20 seconds at 100 Mbit/s. */
const maxHeldBytes = 256 * 1024 * 1024;

/** A packet, with its times in seconds from the start of the clip. */
export interface ClipPacket {
  readonly packet: Packet;
  readonly dts: number;
  readonly pts: number;
  readonly duration: number;
  readonly isKey: boolean;
}

/** Packets of a stream for which it is not known yet whether the clip needs them. */
export class HeldPackets {
  readonly #label: string;
  #packets: ClipPacket[] = [];
  #bytes = 0;

  /** @param label - name of the stream for messages. */
  constructor(label: string) {
    this.#label = label;
  }

  get first(): ClipPacket | undefined {
    return this.#packets[0];
  }

  /**
   * Adds a copy of a packet.
   *
   * @throws MillraceError `source_unsupported` if there are too many.
   */
  add(packet: ClipPacket): void {
    const copy = packet.packet.clone();
    if (copy === null) throw new Error('a packet could not be cloned');
    this.#packets.push({ ...packet, packet: copy });
    this.#bytes += copy.size;
    if (this.#bytes <= maxHeldBytes) return;
    throw new MillraceError(
      'source_unsupported',
      `${this.#label} has too much data between two key frames to begin a clip there. Choose another start.`,
    );
  }

  /** Drops the packets before the first one that is to be kept. */
  dropUntil(isKept: (packet: ClipPacket, at: number, all: readonly ClipPacket[]) => boolean): void {
    const found = this.#packets.findIndex(isKept);
    const count = found < 0 ? this.#packets.length : found;
    if (count === 0) return;
    for (const { packet } of this.#packets.splice(0, count)) {
      this.#bytes -= packet.size;
      packet.free();
    }
  }

  /**
   * Lengthens the frame that is displayed at the start of the clip, if another one follows only after a gap.
   *
   * @param nextStart - time before which no other frame is displayed.
   * @param toTicks - converts seconds to the time base of the stream.
   */
  fillGap(nextStart: number, toTicks: (seconds: number) => bigint): void {
    const shown = this.#packets
      .filter(({ pts }) => pts <= clipRounding)
      .reduce<ClipPacket | undefined>(
        (one, other) => (one !== undefined && one.pts > other.pts ? one : other),
        undefined,
      );
    if (shown === undefined) return;
    const end = shown.pts + shown.duration;
    if (end > clipRounding || nextStart < end + stillSeconds) return;
    const duration = nextStart - shown.pts;
    shown.packet.duration = toTicks(duration);
    this.#packets = this.#packets.map((held) => (held === shown ? { ...held, duration } : held));
  }

  /** Passes on all packets in order. */
  release(take: (packet: ClipPacket) => void): void {
    const packets = this.#packets;
    this.#packets = [];
    this.#bytes = 0;
    for (const held of packets) {
      take(held);
      held.packet.free();
    }
  }

  /** Drops all packets. */
  clear(): void {
    this.dropUntil(() => false);
  }
}
