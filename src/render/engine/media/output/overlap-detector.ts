import type { IRational, Packet } from 'node-av/lib';
import { ticksToSeconds } from '../timestamps.ts';

/**
 * Finds the first packets of a part that begin while the audio of the part before still plays: what an encoder puts
 * before the audio, or after that of the part before. A packet belongs to the part in which most of it plays.
 */
export class OverlapDetector {
  /** Packets found so far. */
  count = 0;
  #end: number | undefined;

  /** A part begins; `end` is when the audio before it ends, in seconds. */
  startPart(end: number | undefined): void {
    this.#end = end;
  }

  /** Whether a packet belongs to the overlap. All packets are given, in their order. */
  overlaps(packet: Packet, base: IRational): boolean {
    // Each look at a packet costs as much as writing it.
    if (this.#end === undefined) return false;
    const { pts, duration } = packet;
    const begin = ticksToSeconds(pts, base) ?? Number.POSITIVE_INFINITY;
    const isOverlap = begin + (ticksToSeconds(duration, base) ?? 0) / 2 < this.#end;
    if (isOverlap) this.count += 1;
    else this.#end = undefined;
    return isOverlap;
  }
}
