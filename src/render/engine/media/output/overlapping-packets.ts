import type { IRational, Packet } from 'node-av/lib';
import { secondsOf } from '../timestamps.ts';

/**
 * Finds the first packets of a part that begin while the audio of the part before still plays: what an encoder puts
 * before the audio, or after that of the part before. A packet belongs to the part in which most of it plays.
 */
export class Overlap {
  /** Packets found so far. */
  count = 0;
  #end: number | undefined;

  /** A part begins; `end` is when the audio before it ends, in seconds. */
  begin(end: number | undefined): void {
    this.#end = end;
  }

  /** Whether a packet belongs to the overlap. All packets are given, in their order. */
  has(packet: Packet, base: IRational): boolean {
    // Each look at a packet costs as much as writing it.
    if (this.#end === undefined) return false;
    const { pts, duration } = packet;
    const begin = secondsOf(pts, base) ?? Number.POSITIVE_INFINITY;
    const overlaps = begin + (secondsOf(duration, base) ?? 0) / 2 < this.#end;
    if (overlaps) this.count += 1;
    else this.#end = undefined;
    return overlaps;
  }
}
