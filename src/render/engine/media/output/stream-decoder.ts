import type { Packet } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import type { NamedStream } from '../sink.ts';
import { Decoder } from './decoder.ts';
import { DecodingLosses } from './decoding-losses.ts';
import type { TakeFrame } from './filter-chain.ts';

/** Options for decoding a stream. */
interface DecodeOptions {
  readonly threads: number;
  /** What the caller can do about a damaged stream. */
  readonly remedy: string;
  /** Whether a part may have no packets, because a clip keeps none. */
  readonly mayBeEmpty: boolean;
}

/** Decodes a stream across all parts of its input, each of which may have a different codec. */
export class StreamDecoder {
  readonly #options: DecodeOptions;
  readonly #take: TakeFrame;
  #current: { readonly decoder: Decoder; readonly filter: (frame: Parameters<TakeFrame>[0]) => void } | undefined;
  /** Name of the current part's stream, and of the stream with the largest loss. */
  #label = '';
  #worst: { readonly label: string; readonly lostSeconds: number } | undefined;
  readonly #losses = new DecodingLosses(true);
  #undecodedPackets = 0;

  private constructor(options: DecodeOptions, take: TakeFrame) {
    this.#options = options;
    this.#take = take;
  }

  /**
   * Opens the decoder of the first part's stream. `take` receives the frames of all parts.
   *
   * @throws MillraceError `input_unreadable`.
   */
  static async open(first: NamedStream, options: DecodeOptions, take: TakeFrame): Promise<StreamDecoder> {
    const decoder = new StreamDecoder(options, take);
    await decoder.startPart(first);
    return decoder;
  }

  /** Number of packets so far that yielded no frame. */
  get undecodedPackets(): number {
    return this.#undecodedPackets + (this.#current?.decoder.undecodedPackets ?? 0);
  }

  /** Describes what could not be decoded, as a sentence; undefined if everything could. */
  describeLosses(): string | undefined {
    return this.#worst === undefined ? undefined : `${describeDamage(this.#worst.label, this.#losses)} and is missing.`;
  }

  /** Decodes a packet. */
  push(packet: Packet): void {
    this.#current?.decoder.push(packet, this.#current.filter);
  }

  /**
   * Ends the stream of one part and continues with that of the next, if there is one.
   *
   * @throws MillraceError `input_unreadable`, also for a part with too long a loss.
   */
  async startPart(next: NamedStream | undefined): Promise<void> {
    this.#endPart();
    if (next === undefined) return;
    const decoder = await Decoder.open(next.stream, this.#options.threads, next.label);
    const base = next.stream.timeBase;
    this.#label = next.label;
    this.#current = { decoder, filter: (frame) => this.#take(frame, base) };
  }

  /**
   * Passes on the remaining frames.
   *
   * @throws MillraceError `input_unreadable` for a stream without a decodable frame, and for a stream with too much
   * loss.
   */
  end(): void {
    this.#endPart();
    if (this.#worst !== undefined && this.#losses.tooMuch) throw this.#unreadable(this.#worst.label, this.#losses);
  }

  #endPart(): void {
    const decode = this.#current;
    this.#current = undefined;
    if (decode === undefined) return;
    const { decoder, filter } = decode;
    decoder.end(filter, this.#options.mayBeEmpty);
    const { losses, undecodedPackets, mostlyDamaged } = decoder;
    this.#undecodedPackets += undecodedPackets;
    this.#losses.add(losses);
    if (losses.lostSeconds > (this.#worst?.lostSeconds ?? 0))
      this.#worst = { label: this.#label, lostSeconds: losses.lostSeconds };
    // The total loss of all parts is checked at the end.
    if (mostlyDamaged || losses.tooLong) throw this.#unreadable(this.#label, losses);
  }

  #unreadable(label: string, losses: DecodingLosses): MillraceError {
    return new MillraceError('input_unreadable', `${describeDamage(label, losses)}. ${this.#options.remedy}`);
  }
}

function describeDamage(label: string, losses: DecodingLosses): string {
  return `${label} is damaged: ${losses} could not be decoded`;
}
