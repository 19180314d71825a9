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

/** Pictures as they come. */
interface VideoFormat {
  readonly width: number;
  readonly height: number;
  readonly timeBase: IRational;
  /** Frames a second; 0/1 when it is not known. */
  readonly frameRate: IRational;
  /** Width of a pixel against its height; 0/1 when it is not known. */
  readonly pixelAspect: IRational;
  /** How numbers mean colours, for the player. */
  readonly colour?: Pick<CodecContext, 'colorPrimaries' | 'colorTrc' | 'colorSpace'>;
}

/** Sound as an encoder wants it. */
interface AudioFormat {
  readonly sampleRate: number;
  readonly channels: number;
}

/** Encodes frames into one stream of the result. */
export class Encoder {
  /** What frames have to go through before {@link push}. */
  readonly filters: readonly FilterSpec[];
  readonly #context: CodecContext;
  readonly #output: OutputStream;
  readonly #packet = new Packet();
  #lastPts: bigint | undefined;
  /** When the last frame ends. */
  #end = 0n;

  private constructor(context: CodecContext, output: OutputStream, filters: readonly FilterSpec[]) {
    this.#context = context;
    this.#output = output;
    this.filters = filters;
    this.#packet.alloc();
    checkResult(output.stream.codecpar.fromContext(context), 'the encoder does not say what it makes');
    output.stream.timeBase = context.timeBase;
  }

  /** Opens the encoder for a video stream; size and rate stay, colours become 8-bit 4:2:0. */
  static async openVideo(
    choices: readonly EncoderChoice[],
    shape: VideoFormat,
    output: OutputStream,
    setup: { readonly threads: number; readonly globalHeader: boolean },
  ): Promise<Encoder> {
    const { choice, codec } = pickEncoder(choices);
    const context = new CodecContext();
    context.allocContext3(codec);
    // 4:2:0 has half the colour in both directions, so both lengths have to be even.
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

  /** Opens the encoder for an audio stream; rate and channels stay as far as it can take them. */
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

  /** Size of the frames that it encodes, in pixels. */
  get size(): { readonly width: number; readonly height: number } {
    return { width: this.#context.width, height: this.#context.height };
  }

  /** Sample rate of the audio that it encodes, in Hz. */
  get sampleRate(): number {
    return this.#context.sampleRate;
  }

  /** Encodes a frame, whose timestamp is in `base`. */
  push(frame: Frame, base: IRational): void {
    const to = this.#context.timeBase;
    let pts = frame.pts === AV_NOPTS_VALUE ? undefined : avRescaleQ(frame.pts, base, to);
    // A frame without a time comes right after the one before; one that goes back in time is left out.
    if (pts === undefined) pts = this.#end;
    if (this.#lastPts !== undefined && pts <= this.#lastPts) return;
    this.#lastPts = pts;
    frame.pts = pts;
    frame.duration = frame.duration > 0n ? avRescaleQ(frame.duration, base, to) : 0n;
    this.#end = pts + (frame.duration > 0n ? frame.duration : 1n);
    // The source's picture types would be taken for orders.
    frame.pictType = AV_PICTURE_TYPE_NONE;
    checkResult(this.#context.sendFrameSync(frame), 'a frame could not be encoded');
    this.#drain();
  }

  /** Writes what the encoder held back. */
  end(): void {
    checkResult(this.#context.sendFrameSync(null), 'encoding could not be ended');
    this.#drain();
    this.#context.freeContext();
  }

  #drain(): void {
    for (;;) {
      const result = this.#context.receivePacketSync(this.#packet);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      checkResult(result, 'an encoded frame could not be had');
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
  throw new MillraceError('processing_failed', `This installation can encode with none of: ${names || 'no encoder'}.`);
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
  // The synchronous open corrupts the heap when it is given options (node-av 6.1.1); this one never did.
  checkResult(
    await context.open2(codec, Dictionary.fromObject({ ...choice.options })),
    `${choice.name} could not be started`,
  );
}

/** The source's own time base, unless it is too coarse or too fine for an encoder to count in. */
function videoTimeBase(base: IRational): Rational {
  const ticks = base.den / base.num;
  return ticks >= 10 && ticks <= 1_000_000 ? new Rational(base.num, base.den) : new Rational(1, 90_000);
}

/** The requested rate if the encoder has it, else the next higher one, else its highest. */
function rateFor(rate: number, supported: readonly number[] | null): number {
  if (supported === null || supported.length === 0 || supported.includes(rate)) return rate;
  const ascending = supported.toSorted((a, b) => a - b);
  return ascending.find((each) => each >= rate) ?? ascending.at(-1) ?? rate;
}

/** Mono, stereo, 5.1 and 7.1 stay what they are; anything else becomes stereo. */
function channelsFor(channels: number, maxChannels: number): number {
  return channels <= maxChannels && (channels === 1 || channels === 6 || channels === 8) ? channels : 2;
}

function layoutName(channels: number): string {
  return channels === 1 ? 'mono' : channels === 6 ? '5.1' : channels === 8 ? '7.1' : 'stereo';
}
