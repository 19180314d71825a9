import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { Codec, CodecContext, Frame, type Packet, type Stream } from 'node-av/lib';
import { MillraceError } from '../../../contract/errors.ts';

/** Decodes one stream. Damaged packets are passed over, as players do, but a stream that is mostly damaged fails. */
export class Decoder {
  readonly #context: CodecContext;
  readonly #frame: Frame;
  readonly #what: string;
  #packets = 0;
  #frames = 0;
  #bad = 0;

  private constructor(context: CodecContext, what: string) {
    this.#context = context;
    this.#what = what;
    this.#frame = new Frame();
    this.#frame.alloc();
  }

  /** Opens the decoder of a stream; `what` names the stream in messages. */
  static async open(stream: Stream, threads: number, what: string): Promise<Decoder> {
    const codec = Codec.findDecoder(stream.codecpar.codecId);
    if (codec === null) throw unreadable(`${what} is in a format that cannot be decoded`);
    const context = new CodecContext();
    context.allocContext3(codec);
    const described = context.parametersToContext(stream.codecpar);
    context.pktTimebase = stream.timeBase;
    context.threadCount = threads;
    // The synchronous open corrupts the heap when it is given options (node-av 6.1.1); this one never did.
    if (described < 0 || (await context.open2(codec, null)) < 0) throw unreadable(`${what} cannot be decoded`);
    return new Decoder(context, what);
  }

  /** Packets so far that could not be decoded. */
  get bad(): number {
    return this.#bad;
  }

  /** Packets so far that gave no frame. */
  get undecoded(): number {
    return Math.max(0, this.#packets - this.#frames);
  }

  /** Decodes a packet and hands over what frames come out. */
  push(packet: Packet, take: (frame: Frame) => void): void {
    this.#packets += 1;
    if (this.#context.sendPacketSync(packet) < 0) this.#bad += 1;
    this.#drain(take);
  }

  /** Hands over the frames held back. */
  end(take: (frame: Frame) => void): void {
    this.#context.sendPacketSync(null);
    this.#drain(take);
    this.#context.freeContext();
    if (this.#frames === 0) throw unreadable(`${this.#what} holds no frame that can be decoded`);
    if (this.#bad > this.#frames) throw unreadable(`${this.#what} is damaged: most of it cannot be decoded`);
  }

  #drain(take: (frame: Frame) => void): void {
    for (;;) {
      const got = this.#context.receiveFrameSync(this.#frame);
      if (got === AVERROR_EAGAIN || got === AVERROR_EOF) return;
      if (got < 0) {
        this.#bad += 1;
        return;
      }
      this.#frames += 1;
      this.#frame.pts = this.#frame.bestEffortTimestamp;
      take(this.#frame);
      this.#frame.unref();
    }
  }
}

function unreadable(what: string): MillraceError {
  return new MillraceError('input_unreadable', `${what}. Check that the link leads to a whole video or audio file.`);
}
