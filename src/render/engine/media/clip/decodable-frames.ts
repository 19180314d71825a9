import { clipRounding } from '../../timing/clip-rules.ts';
import type { ClipPacket } from './held-packets.ts';

/** Tells which frames of a video can be decoded if its clip begins at a key frame. */
export class DecodableFrames {
  #firstKey: number | undefined;
  #hasLostFrames = false;

  /**
   * Seconds from the start of the clip to its first picture, if frames before that one are left out because decoding
   * cannot begin at them; otherwise 0. It is infinite without a key frame.
   */
  get lostSeconds(): number {
    return this.#hasLostFrames ? Math.max(0, this.#firstKey ?? Number.POSITIVE_INFINITY) : 0;
  }

  /** Begins at a key frame instead of an earlier one. */
  beginAt({ pts }: ClipPacket): void {
    this.#firstKey = pts;
    this.#hasLostFrames = false;
  }

  /**
   * Returns whether a frame can be decoded. Frames before the first key frame need another one, and so do frames after
   * it that are displayed before it.
   */
  has(packet: ClipPacket): boolean {
    const { pts, duration, isKey } = packet;
    if (this.#firstKey === undefined && isKey) this.#firstKey = pts;
    if (this.#firstKey !== undefined && pts >= this.#firstKey) return true;
    this.#hasLostFrames ||= pts + duration > clipRounding;
    return false;
  }
}
