import type { Packet } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import type { NamedStream } from '../sink.ts';
import { Decoder } from './decoder.ts';
import { Losses } from './decoding-losses.ts';
import type { TakeFrame } from './filter-chain.ts';

/** How a stream is decoded. */
interface DecodeSetup {
  readonly threads: number;
  /** What a caller can do about a damaged stream. */
  readonly remedy: string;
}

/** Decodes a stream through all parts of its input, each of which may have another codec. */
export class StreamDecoder {
  readonly #setup: DecodeSetup;
  readonly #take: TakeFrame;
  #decode: { readonly decoder: Decoder; readonly filter: (frame: Parameters<TakeFrame>[0]) => void } | undefined;
  /** The name of the current part's stream, and of the one that lost most. */
  #what = '';
  #worst: { readonly what: string; readonly lost: number } | undefined;
  readonly #losses = new Losses(true);
  #undecoded = 0;

  private constructor(setup: DecodeSetup, take: TakeFrame) {
    this.#setup = setup;
    this.#take = take;
  }

  /**
   * Opens the decoder of the first part's stream; `take` gets the frames of all parts.
   *
   * @throws MillraceError `input_unreadable`.
   */
  static async open(first: NamedStream, setup: DecodeSetup, take: TakeFrame): Promise<StreamDecoder> {
    const opened = new StreamDecoder(setup, take);
    await opened.follow(first);
    return opened;
  }

  /** Packets so far that gave no frame. */
  get undecoded(): number {
    return this.#undecoded + (this.#decode?.decoder.undecoded ?? 0);
  }

  /** What could not be decoded, as a sentence; undefined if all of it could. */
  lost(): string | undefined {
    return this.#worst === undefined ? undefined : `${damaged(this.#worst.what, this.#losses)} and is missing.`;
  }

  /** Decodes a packet. */
  push(packet: Packet): void {
    this.#decode?.decoder.push(packet, this.#decode.filter);
  }

  /**
   * Ends the stream of one part and continues with that of the next, if there is one.
   *
   * @throws MillraceError `input_unreadable`, also for a part of which too much is lost at a stretch.
   */
  async follow(next: NamedStream | undefined): Promise<void> {
    this.#endPart();
    if (next === undefined) return;
    const decoder = await Decoder.open(next.stream, this.#setup.threads, next.what);
    const base = next.stream.timeBase;
    this.#what = next.what;
    this.#decode = { decoder, filter: (frame) => this.#take(frame, base) };
  }

  /**
   * Hands over the remaining frames.
   *
   * @throws MillraceError `input_unreadable` for a stream without a frame that can be decoded, and for one of which too
   *   much is lost.
   */
  end(): void {
    this.#endPart();
    if (this.#worst !== undefined && this.#losses.tooMuch) throw this.#unreadable(this.#worst.what, this.#losses);
  }

  #endPart(): void {
    const decode = this.#decode;
    this.#decode = undefined;
    if (decode === undefined) return;
    const { decoder, filter } = decode;
    decoder.end(filter);
    const { losses, undecoded, mostlyBad } = decoder;
    this.#undecoded += undecoded;
    this.#losses.add(losses);
    if (losses.lost > (this.#worst?.lost ?? 0)) this.#worst = { what: this.#what, lost: losses.lost };
    // What is lost of all parts together shows at the end.
    if (mostlyBad || losses.tooLong) throw this.#unreadable(this.#what, losses);
  }

  #unreadable(what: string, losses: Losses): MillraceError {
    return new MillraceError('input_unreadable', `${damaged(what, losses)}. ${this.#setup.remedy}`);
  }
}

function damaged(what: string, losses: Losses): string {
  return `${what} is damaged: ${losses} could not be decoded`;
}
