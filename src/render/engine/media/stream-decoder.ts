import type { Packet } from 'node-av/lib';
import { Decoder } from './decoder.ts';
import type { TakeFrame } from './filters.ts';
import type { NamedStream } from './sink.ts';

/** Decodes a stream through all parts of its input, each of which may have another codec. */
export class StreamDecoder {
  readonly #threads: number;
  readonly #take: TakeFrame;
  #decode: { readonly decoder: Decoder; readonly filter: (frame: Parameters<TakeFrame>[0]) => void } | undefined;

  #undecoded = 0;

  private constructor(threads: number, take: TakeFrame) {
    this.#threads = threads;
    this.#take = take;
  }

  /**
   * Opens the decoder of the first part's stream; `take` gets the frames of all parts.
   *
   * @throws MillraceError `input_unreadable`.
   */
  static async open(first: NamedStream, threads: number, take: TakeFrame): Promise<StreamDecoder> {
    const opened = new StreamDecoder(threads, take);
    await opened.follow(first);
    return opened;
  }

  /** Packets so far that gave no frame. */
  get undecoded(): number {
    return this.#undecoded + (this.#decode?.decoder.undecoded ?? 0);
  }

  /** Decodes a packet. */
  push(packet: Packet): void {
    this.#decode?.decoder.push(packet, this.#decode.filter);
  }

  /**
   * Ends the stream of one part and continues with that of the next, if there is one.
   *
   * @throws MillraceError `input_unreadable`.
   */
  async follow(next: NamedStream | undefined): Promise<void> {
    this.end();
    if (next === undefined) return;
    const decoder = await Decoder.open(next.stream, this.#threads, next.what);
    const base = next.stream.timeBase;
    this.#decode = { decoder, filter: (frame) => this.#take(frame, base) };
  }

  /**
   * Hands over the remaining frames.
   *
   * @throws MillraceError `input_unreadable` for a stream without a frame that can be decoded.
   */
  end(): void {
    const decode = this.#decode;
    this.#decode = undefined;
    if (decode === undefined) return;
    decode.decoder.end(decode.filter);
    this.#undecoded += decode.decoder.undecoded;
  }
}
