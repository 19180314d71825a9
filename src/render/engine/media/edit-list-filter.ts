import { AV_PKT_FLAG_DISCARD, AV_PKT_FLAG_KEY } from 'node-av/constants';
import type { Packet } from 'node-av/lib';

/** Bytes of packets that are held at most: ten seconds at 50 Mbit/s. */
const maxHeldBytes = 64 * 1024 * 1024;

/** Takes a packet's contents. */
export type WritePacket = (packet: Packet) => void;

/** Takes the packets of one stream of a file, and passes on those that the result needs. */
export interface EditListFilter {
  push(packet: Packet): void;
  /** The file has ended. */
  end(): void;
}

/**
 * Leaves out the frames of a video that an edit list cuts off and that no shown frame needs.
 *
 * The demuxer flags what is cut off. It reads from the last key frame before the shown frames to the first one after
 * them, as the file's index lists key frames. The index of the result lists all key frames in the media, which may be
 * more, so its readers would find a shorter video than was written. Frames between two edits have the timestamps of
 * shown frames.
 */
export class VideoEditListFilter implements EditListFilter {
  readonly #write: WritePacket;
  readonly #held = new HeldPackets();
  #started = false;
  /** Frames that were cut off since the last shown one. */
  #cutOff = 0;

  constructor(write: WritePacket) {
    this.#write = write;
  }

  push(packet: Packet): void {
    // Each look at a packet crosses into the library.
    const { flags } = packet;
    const key = isKey({ flags });
    if (isCutOff({ flags })) {
      this.#cutOff += 1;
      if (key) this.#held.drop();
      if (!this.#held.add(packet)) this.#releaseHeld();
      return;
    }
    const { first } = this.#held;
    // A key frame needs no frame before it, but later frames in the file may be shown earlier and need one.
    const needsHeld = first !== undefined && isKey(first) ? !key || first.pts < packet.pts : this.#started && !key;
    if (!needsHeld) this.#held.drop();
    this.#releaseHeld();
    this.#cutOff = 0;
    this.#write(packet);
  }

  end(): void {
    // Writers that do not know how long the last frame lasts leave it out of the edit.
    if (this.#started && this.#cutOff > 1) this.#held.drop();
    this.#releaseHeld();
  }

  #releaseHeld(): void {
    this.#held.release(this.#write);
    this.#started = true;
  }
}

/**
 * Leaves out audio between two edits, which would be heard. Audio before the first edit stays: it primes the decoder, and
 * the result states its length.
 */
export class AudioEditListFilter implements EditListFilter {
  readonly #write: WritePacket;
  readonly #held = new HeldPackets();
  #started = false;

  constructor(write: WritePacket) {
    this.#write = write;
  }

  push(packet: Packet): void {
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

  /** Adds a packet; says whether there is room for more. */
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
