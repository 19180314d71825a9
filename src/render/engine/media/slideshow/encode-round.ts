import type { IRational, Packet } from 'node-av/lib';
import type { OutputStream } from '../output/result-writer.ts';

/** The encoded packets of a slideshow in which each image is shown once. */
export interface EncodedRound {
  readonly packets: readonly Packet[];
  readonly base: IRational;
}

/** Collects the packets that an encoder writes, in place of the stream of a result. */
export class RoundCollector implements OutputStream {
  readonly stream: OutputStream['stream'];
  readonly cues: OutputStream['cues'];
  readonly codec: OutputStream['codec'];
  readonly stats: OutputStream['stats'];
  readonly muxedCues: OutputStream['muxedCues'];
  readonly #packets: Packet[] = [];
  #base: IRational = { num: 1, den: 1 };

  constructor({ stream, cues, codec, stats, muxedCues }: OutputStream) {
    this.stream = stream;
    this.cues = cues;
    this.codec = codec;
    this.stats = stats;
    this.muxedCues = muxedCues;
  }

  write(packet: Packet, base: IRational): void {
    const copy = packet.clone();
    if (copy === null) throw new Error('a packet cannot be referenced');
    this.#packets.push(copy);
    this.#base = { num: base.num, den: base.den };
  }

  /** Returns all packets so far. */
  get round(): EncodedRound {
    return { packets: this.#packets, base: this.#base };
  }
}
