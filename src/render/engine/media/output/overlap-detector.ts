import type { IRational, Packet } from 'node-av/lib';
import { ticksToSeconds } from '../timestamps.ts';

/**
 * Detects the first packets of a part that begin while the audio of the previous part still plays. They are padding
 * that an encoder adds before or after the audio. A packet belongs to the part in which most of it plays.
 */
export class OverlapDetector {
  /** Number of packets found so far. */
  count = 0;
  #end: number | undefined;

  /** Starts a part. `end` is the end of the audio before it, in seconds. */
  startPart(end: number | undefined): void {
    this.#end = end;
  }

  /** Whether a packet belongs to the overlap. Must be called for every packet, in order. */
  overlaps(packet: Packet, base: IRational): boolean {
    // Each access to a packet costs as much as writing it, so packets after the overlap are not inspected.
    if (this.#end === undefined) return false;
    const { pts, duration } = packet;
    const begin = ticksToSeconds(pts, base) ?? Number.POSITIVE_INFINITY;
    const isOverlap = begin + (ticksToSeconds(duration, base) ?? 0) / 2 < this.#end;
    if (isOverlap) this.count += 1;
    else this.#end = undefined;
    return isOverlap;
  }
}
