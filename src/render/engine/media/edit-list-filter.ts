import { AV_PKT_FLAG_DISCARD, AV_PKT_FLAG_KEY } from 'node-av/constants';
import type { Packet } from 'node-av/lib';
import type { KeyFrameReader } from '../formats/key-frames.ts';

/** Maximum size of held packets in bytes: ten seconds at 50 Mbit/s. */
const maxHeldBytes = 64 * 1024 * 1024;

/** Writes a packet and takes over its contents. */
export type WritePacket = (packet: Packet) => void;

/** Receives the packets of one stream of a file, and passes on those that the result needs. */
export interface EditListFilter {
  push(packet: Packet): void;
  /** Called at the end of the file. */
  end(): void;
}

/**
 * Drops the frames of a video that an edit list cuts off and that no displayed frame needs.
 *
 * The demuxer flags cut-off frames. It delivers the frames from the last keyframe before the displayed frames to the
 * first keyframe after them, according to the file's index. The index of the result lists all keyframes in the media,
 * possibly more than the file's index does. If all delivered frames were written, readers of the result would therefore
 * find a shorter video. Cut-off frames between two edits have the same timestamps as displayed frames.
 */
export class VideoEditListFilter implements EditListFilter {
  readonly #write: WritePacket;
  readonly #held = new HeldPackets();
  #started = false;
  /** Number of frames that were cut off since the last displayed one. */
  #cutOff = 0;
  #lead = 0n;
  readonly #keyFrames: KeyFrameReader;

  /** @param keyFrames - recognises key frames that the file's index does not list. */
  constructor(write: WritePacket, keyFrames: KeyFrameReader) {
    this.#write = write;
    this.#keyFrames = keyFrames;
  }

  /** Ticks from the first frame, which is cut off, to one of the first that are displayed. */
  get lead(): bigint {
    return this.#lead;
  }

  push(packet: Packet): void {
    // Each access to a packet's property is a call into the library.
    const { flags } = packet;
    const key = isKey({ flags }) || (!this.#started && this.#isUnlistedKey(packet));
    if (isCutOff({ flags })) {
      this.#cutOff += 1;
      if (key) this.#held.drop();
      if (!this.#held.add(packet)) this.#releaseHeld();
      return;
    }
    const { first } = this.#held;
    // A keyframe needs no earlier frame. But frames that follow it in the file may be displayed before it, and they may
    // need an earlier frame.
    const needsHeld = first !== undefined && isKey(first) ? !key || first.pts < packet.pts : this.#started && !key;
    if (!needsHeld) this.#held.drop();
    if (!this.#started && needsHeld && first !== undefined) this.#lead = packet.pts - first.pts;
    this.#releaseHeld();
    this.#cutOff = 0;
    this.#write(packet);
  }

  end(): void {
    // A single cut-off frame at the end is kept: writers that do not know the duration of the last frame leave that
    // frame out of the edit.
    if (this.#started && this.#cutOff > 1) this.#held.drop();
    this.#releaseHeld();
  }

  /** Returns whether decoding can begin at a frame before the displayed ones, which is then marked as a key frame. */
  #isUnlistedKey(packet: Packet): boolean {
    if (packet.data === null || this.#keyFrames.tells(packet.data) !== true) return false;
    packet.isKeyframe = true;
    return true;
  }

  #releaseHeld(): void {
    this.#held.release(this.#write);
    this.#started = true;
  }
}

/**
 * Drops audio between two edits, which would be audible. Of the audio before the first edit, the end stays: it primes the
 * decoder, and the result states its length.
 */
export class AudioEditListFilter implements EditListFilter {
  readonly #write: WritePacket;
  readonly #held = new HeldPackets();
  #started = false;
  #unneeded: number;

  /** @param unneeded - number of packets before the first edit that no decoder needs. */
  constructor(write: WritePacket, unneeded = 0) {
    this.#write = write;
    this.#unneeded = unneeded;
  }

  push(packet: Packet): void {
    if (!this.#started && this.#unneeded > 0 && isCutOff(packet)) {
      this.#unneeded -= 1;
      return;
    }
    if (this.#started && isCutOff(packet)) {
      if (!this.#held.add(packet)) this.#held.release(this.#write);
      return;
    }
    this.#held.drop();
    this.#started ||= !isCutOff(packet);
    this.#write(packet);
  }

  end(): void {
    this.#held.release(this.#write);
  }
}

/** Packets that the result may or may not need. */
class HeldPackets {
  #packets: Packet[] = [];
  #bytes = 0;

  get first(): Packet | undefined {
    return this.#packets[0];
  }

  /** Adds a packet and returns whether there is room for more. */
  add(packet: Packet): boolean {
    const copy = packet.clone();
    if (copy === null) throw new Error('a packet could not be cloned');
    this.#packets.push(copy);
    this.#bytes += packet.size;
    return this.#bytes <= maxHeldBytes;
  }

  release(write: WritePacket): void {
    for (const packet of this.#packets) write(packet);
    this.drop();
  }

  drop(): void {
    if (this.#packets.length === 0) return;
    for (const packet of this.#packets) packet.free();
    this.#packets = [];
    this.#bytes = 0;
  }
}

function isKey({ flags }: Pick<Packet, 'flags'>): boolean {
  return (flags & AV_PKT_FLAG_KEY) !== 0;
}

/** Whether an edit list cuts a packet off. */
export function isCutOff({ flags }: Pick<Packet, 'flags'>): boolean {
  return (flags & AV_PKT_FLAG_DISCARD) !== 0;
}
