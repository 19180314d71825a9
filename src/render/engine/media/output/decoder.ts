import { AVERROR_EAGAIN, AVERROR_EOF, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { Codec, CodecContext, Dictionary, Frame, type Packet, type Stream } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import { DecodingLosses } from './decoding-losses.ts';

/** Number of consecutive errors after which a decoder is not called for more frames of the same packet. */
const maxErrors = 64;

/**
 * The frame with the most pixels, which may have another shape. A decoder and an encoder hold dozens of frames, so a small file with
 * larger ones would take more than a gigabyte.
 */
const largest = { width: 8192, height: 4320 } as const;
const maxPixels = largest.width * largest.height;

/** Decodes one stream. Drops damaged packets, as players do, and counts them. */
export class Decoder {
  /** The part of the stream that could not be decoded so far. */
  readonly losses: DecodingLosses;
  readonly #context: CodecContext;
  readonly #frame: Frame;
  readonly #label: string;
  /** Duration of one tick of the stream, in seconds. */
  readonly #tick: number;
  #packets = 0;
  #frames = 0;
  #failures = 0;

  private constructor(context: CodecContext, stream: Stream, label: string) {
    const { timeBase, codecpar } = stream;
    this.#context = context;
    this.#label = label;
    this.#tick = timeBase.num / timeBase.den;
    this.losses = new DecodingLosses(codecpar.codecType === AVMEDIA_TYPE_AUDIO);
    this.#frame = new Frame();
    this.#frame.alloc();
  }

  /**
   * Opens the decoder of a stream; `label` names the stream in messages.
   *
   * @throws MillraceError `source_unsupported` for video with too large frames; `input_unreadable`.
   */
  static async open(stream: Stream, threads: number, label: string): Promise<Decoder> {
    const codec = Codec.findDecoder(stream.codecpar.codecId);
    const { width, height } = stream.codecpar;
    if (width * height > maxPixels) throw tooLargeError(label, width, height);
    if (codec === null) throw unreadableInputError(`${label} is in a format that Millrace cannot decode`);
    const context = new CodecContext();
    context.allocContext3(codec);
    const parametersResult = context.parametersToContext(stream.codecpar);
    context.pktTimebase = stream.timeBase;
    context.threadCount = threads;
    // The synchronous open corrupts the heap when it is given options (node-av 6.1.1); the asynchronous open never did.
    if (parametersResult < 0 || (await context.open2(codec, openOptions())) < 0)
      throw unreadableInputError(`${label} cannot be decoded`);
    return new Decoder(context, stream, label);
  }

  /** Number of packets so far that yielded no frame. */
  get undecodedPackets(): number {
    return Math.max(0, this.#packets - this.#frames);
  }

  /** Whether most of the stream could not be decoded. */
  get mostlyDamaged(): boolean {
    return this.#failures > this.#frames;
  }

  /** Decodes a packet and passes on the resulting frames. */
  push(packet: Packet, take: (frame: Frame) => void): void {
    this.#packets += 1;
    this.losses.addPacket(Number(packet.duration) * this.#tick, () => packet.isKeyframe);
    if (this.#context.sendPacketSync(packet) < 0) this.#fail();
    this.#drain(take);
  }

  /**
   * Passes on the remaining frames.
   *
   * @param mayBeEmpty - whether the stream may have no packets, because a clip keeps none.
   * @throws MillraceError `input_unreadable` for a stream without a decodable frame.
   */
  end(take: (frame: Frame) => void, mayBeEmpty = false): void {
    this.#context.sendPacketSync(null);
    this.#drain(take);
    this.#context.freeContext();
    if (this.#frames === 0 && !(mayBeEmpty && this.#packets === 0))
      throw unreadableInputError(`${this.#label} contains no frame that can be decoded`);
  }

  #drain(take: (frame: Frame) => void): void {
    for (let errors = 0; errors < maxErrors; ) {
      const result = this.#context.receiveFrameSync(this.#frame);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      if (result < 0) {
        errors += 1;
        this.#fail();
        continue;
      }
      errors = 0;
      this.#frames += 1;
      this.losses.addFrame();
      this.#frame.pts = this.#frame.bestEffortTimestamp;
      take(this.#frame);
      this.#frame.unref();
    }
  }

  #fail(): void {
    this.#failures += 1;
    this.losses.addFailure();
  }
}

/** Frames may become larger than the file states. */
function openOptions(): Dictionary {
  return Dictionary.fromObject({ max_pixels: `${maxPixels}` });
}

function tooLargeError(label: string, width: number, height: number): MillraceError {
  return new MillraceError(
    'source_unsupported',
    `${label} has ${width} × ${height} pixels, but only frames of up to ${largest.width} × ${largest.height} can be decoded. ` +
      'Copy its streams without changes, or use a source with fewer pixels.',
  );
}

function unreadableInputError(what: string): MillraceError {
  return new MillraceError(
    'input_unreadable',
    `${what}. Check that the link points to a complete video or audio file.`,
  );
}
