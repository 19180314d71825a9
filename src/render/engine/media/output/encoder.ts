import {
  AV_CODEC_CAP_VARIABLE_FRAME_SIZE,
  AV_CODEC_FLAG_FRAME_DURATION,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_NOPTS_VALUE,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVCOL_RANGE_MPEG,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants';
import {
  avChannelLayoutDefault,
  avGetSampleFmtName,
  avRescaleQ,
  Codec,
  CodecContext,
  Dictionary,
  type Frame,
  type IRational,
  Packet,
  Rational,
} from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import type { EncoderChoice } from '../../formats/container-formats.ts';
import { checkResult } from '../check-result.ts';
import type { FilterSpec } from './filter-chain.ts';
import type { OutputStream } from './result-writer.ts';

/** Format of the frames to encode. */
interface VideoFormat {
  readonly width: number;
  readonly height: number;
  readonly timeBase: IRational;
  /** Frames per second; 0/1 when unknown. */
  readonly frameRate: IRational;
  /** Width of a pixel relative to its height; 0/1 when unknown. */
  readonly pixelAspect: IRational;
  /** Colour space information for the player. */
  readonly colour?: Pick<CodecContext, 'colorPrimaries' | 'colorTrc' | 'colorSpace'>;
}

/** Format of the audio to encode. */
interface AudioFormat {
  readonly sampleRate: number;
  readonly channels: number;
}

/** Encodes frames into one stream of the result. */
export class Encoder {
  /** Filters that frames must pass before {@link push}. */
  readonly filters: readonly FilterSpec[];
  readonly #context: CodecContext;
  readonly #output: OutputStream;
  readonly #packet = new Packet();
  #lastPts: bigint | undefined;
  /** End of the last frame. */
  #end = 0n;

  private constructor(context: CodecContext, output: OutputStream, filters: readonly FilterSpec[]) {
    this.#context = context;
    this.#output = output;
    this.filters = filters;
    this.#packet.alloc();
    checkResult(output.stream.codecpar.fromContext(context), 'the encoder did not report its stream parameters');
    output.stream.timeBase = context.timeBase;
  }

  /** Opens the encoder for a video stream. Keeps the size and rate, and converts the colours to 8-bit 4:2:0. */
  static async openVideo(
    choices: readonly EncoderChoice[],
    shape: VideoFormat,
    output: OutputStream,
    setup: { readonly threads: number; readonly globalHeader: boolean },
  ): Promise<Encoder> {
    const { choice, codec } = pickEncoder(choices);
    const context = new CodecContext();
    context.allocContext3(codec);
    // 4:2:0 halves the colour resolution in both directions, so width and height must be even.
    context.width = Math.max(2, shape.width - (shape.width % 2));
    context.height = Math.max(2, shape.height - (shape.height % 2));
    context.pixelFormat = AV_PIX_FMT_YUV420P;
    context.timeBase = videoTimeBase(shape.timeBase);
    const { num, den } = shape.frameRate;
    if (num > 0 && den > 0) context.framerate = new Rational(num, den);
    context.sampleAspectRatio = new Rational(shape.pixelAspect.num, shape.pixelAspect.den);
    context.colorRange = AVCOL_RANGE_MPEG;
    if (shape.colour !== undefined) {
      context.colorPrimaries = shape.colour.colorPrimaries;
      context.colorTrc = shape.colour.colorTrc;
      context.colorSpace = shape.colour.colorSpace;
    }
    await openCodec(context, codec, choice, setup);
    return new Encoder(context, output, [
      ['scale', `w=${context.width}:h=${context.height}:out_range=tv`],
      ['format', 'pix_fmts=yuv420p'],
    ]);
  }

  /** Opens the encoder for an audio stream. Keeps the rate and channels as far as the encoder supports them. */
  static async openAudio(
    choices: readonly EncoderChoice[],
    shape: AudioFormat,
    output: OutputStream,
    setup: { readonly threads: number; readonly globalHeader: boolean },
  ): Promise<Encoder> {
    const { choice, codec } = pickEncoder(choices);
    const context = new CodecContext();
    context.allocContext3(codec);
    const channels = channelsFor(shape.channels, choice.maxChannels ?? 2);
    const layout = avChannelLayoutDefault(channels);
    context.sampleRate = rateFor(shape.sampleRate, codec.supportedSamplerates);
    context.sampleFormat = codec.sampleFormats?.[0] ?? AV_SAMPLE_FMT_FLTP;
    context.channelLayout = layout;
    context.timeBase = new Rational(1, context.sampleRate);
    context.bitRate = BigInt((choice.bitRatePerChannel ?? 64_000) * channels);
    await openCodec(context, codec, choice, setup);
    const format = avGetSampleFmtName(context.sampleFormat) ?? 'fltp';
    const hasFixedFrameSize = context.frameSize > 0 && !codec.hasCapabilities(AV_CODEC_CAP_VARIABLE_FRAME_SIZE);
    return new Encoder(context, output, [
      ['aformat', `sample_fmts=${format}:sample_rates=${context.sampleRate}:channel_layouts=${layoutName(channels)}`],
      ...(hasFixedFrameSize ? [['asetnsamples', `n=${context.frameSize}:p=0`] as const] : []),
    ]);
  }

  /** Size of the encoded frames, in pixels. */
  get size(): { readonly width: number; readonly height: number } {
    return { width: this.#context.width, height: this.#context.height };
  }

  /** Sample rate of the encoded audio, in Hz. */
  get sampleRate(): number {
    return this.#context.sampleRate;
  }

  /** Encodes a frame, whose timestamp is in `base`. */
  push(frame: Frame, base: IRational): void {
    const to = this.#context.timeBase;
    let pts = frame.pts === AV_NOPTS_VALUE ? undefined : avRescaleQ(frame.pts, base, to);
    // A frame without a timestamp follows the one before. A frame that goes back in time is dropped.
    if (pts === undefined) pts = this.#end;
    if (this.#lastPts !== undefined && pts <= this.#lastPts) return;
    this.#lastPts = pts;
    frame.pts = pts;
    frame.duration = frame.duration > 0n ? avRescaleQ(frame.duration, base, to) : 0n;
    this.#end = pts + (frame.duration > 0n ? frame.duration : 1n);
    // The encoder would treat the source's picture types as instructions.
    frame.pictType = AV_PICTURE_TYPE_NONE;
    checkResult(this.#context.sendFrameSync(frame), 'a frame could not be encoded');
    this.#drain();
  }

  /** Writes the packets that the encoder held back. */
  end(): void {
    checkResult(this.#context.sendFrameSync(null), 'encoding could not be finished');
    this.#drain();
    this.#context.freeContext();
  }

  #drain(): void {
    for (;;) {
      const result = this.#context.receivePacketSync(this.#packet);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      checkResult(result, 'an encoded frame could not be read');
      this.#output.write(this.#packet, this.#context.timeBase);
      this.#packet.unref();
    }
  }
}

function pickEncoder(choices: readonly EncoderChoice[]): { readonly choice: EncoderChoice; readonly codec: Codec } {
  for (const choice of choices) {
    const codec = Codec.findEncoderByName(choice.name as Parameters<typeof Codec.findEncoderByName>[0]);
    if (codec !== null) return { choice, codec };
  }
  const names = choices.map(({ name }) => name).join(', ');
  throw new MillraceError(
    'processing_failed',
    `This installation has none of the required encoders: ${names || 'none defined'}.`,
  );
}

async function openCodec(
  context: CodecContext,
  codec: Codec,
  choice: EncoderChoice,
  { threads, globalHeader }: { readonly threads: number; readonly globalHeader: boolean },
): Promise<void> {
  context.threadCount = threads;
  context.setFlags(AV_CODEC_FLAG_FRAME_DURATION);
  if (globalHeader) context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  // The synchronous open corrupts the heap when it is given options (node-av 6.1.1); the asynchronous open never did.
  checkResult(
    await context.open2(codec, Dictionary.fromObject({ ...choice.options })),
    `${choice.name} could not be started`,
  );
}

/** Returns the source's time base, unless it is too coarse or too fine for an encoder. */
function videoTimeBase(base: IRational): Rational {
  const ticks = base.den / base.num;
  return ticks >= 10 && ticks <= 1_000_000 ? new Rational(base.num, base.den) : new Rational(1, 90_000);
}

/** Returns the requested rate if the encoder supports it, or else the next higher one, or else its highest. */
function rateFor(rate: number, supported: readonly number[] | null): number {
  if (supported === null || supported.length === 0 || supported.includes(rate)) return rate;
  const ascending = supported.toSorted((a, b) => a - b);
  return ascending.find((each) => each >= rate) ?? ascending.at(-1) ?? rate;
}

/** Returns the number of channels to encode. Mono, stereo, 5.1 and 7.1 stay unchanged; anything else becomes stereo. */
function channelsFor(channels: number, maxChannels: number): number {
  return channels <= maxChannels && (channels === 1 || channels === 6 || channels === 8) ? channels : 2;
}

function layoutName(channels: number): string {
  return channels === 1 ? 'mono' : channels === 6 ? '5.1' : channels === 8 ? '7.1' : 'stereo';
}
