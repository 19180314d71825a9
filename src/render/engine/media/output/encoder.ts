import {
  AV_CODEC_CAP_VARIABLE_FRAME_SIZE,
  AV_CODEC_FLAG_FRAME_DURATION,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_NOPTS_VALUE,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
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
import type { EncoderChoice } from '../../formats/encoder-choice.ts';
import { checkResult } from '../check-result.ts';
import {
  type AudioFormat,
  type AudioTarget,
  bitRatesToTry,
  encodedFormat,
  formatFilter,
  sampleFormatOf,
} from './audio-format.ts';
import type { EncodeSettings } from './encode-settings.ts';
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

/** Parameters of an encoder besides the format of its frames. */
export interface EncoderSetup {
  readonly threads: number;
  /** Whether its headers are stored beside the stream, not in it. */
  readonly globalHeader: boolean;
  readonly settings: EncodeSettings;
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
    setup: EncoderSetup,
  ): Promise<Encoder> {
    // 4:2:0 halves the colour resolution in both directions, so width and height must be even.
    const width = Math.max(2, shape.width - (shape.width % 2));
    const height = Math.max(2, shape.height - (shape.height % 2));
    const { choice, codec } = pickEncoder(encodersForSize(choices, width, height));
    const context = new CodecContext();
    context.allocContext3(codec);
    context.width = width;
    context.height = height;
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
    const { videoBitrate, videoOptions } = setup.settings;
    if (videoBitrate !== undefined) context.bitRate = BigInt(videoBitrate);
    const qualityOptions = videoBitrate === undefined ? choice.quality : {};
    const options = { ...choice.options, ...qualityOptions, ...videoOptions };
    checkResult(await openCodec(context, codec, options, setup), `${choice.name} could not be started`);
    return new Encoder(context, output, [
      ['scale', `w=${context.width}:h=${context.height}:out_range=tv`],
      ['format', 'pix_fmts=yuv420p'],
    ]);
  }

  /**
   * Opens the encoder for an audio stream. Keeps the rate and channels as far as the encoder supports them, and chooses
   * the supported bit rate that is closest to the requested one.
   */
  static async openAudio(
    choices: readonly EncoderChoice[],
    shape: AudioFormat,
    output: OutputStream,
    setup: EncoderSetup,
  ): Promise<AudioTarget> {
    const { choice, codec } = pickEncoder(choices);
    const format = encodedFormat(choice, codec, shape);
    const context = await openAudioCodec(choice, codec, format, setup);
    const encoder = new Encoder(context, output, []);
    const sampleFormat = avGetSampleFmtName(context.sampleFormat) ?? 'fltp';
    const hasFixedFrameSize = context.frameSize > 0 && !codec.hasCapabilities(AV_CODEC_CAP_VARIABLE_FRAME_SIZE);
    return {
      format,
      filters: [
        formatFilter(format, sampleFormat),
        ...(hasFixedFrameSize ? [['asetnsamples', `n=${context.frameSize}:p=0`] as const] : []),
      ],
      push: (frame, base) => encoder.push(frame, base),
      end: () => encoder.end(),
    };
  }

  /** Size of the encoded frames, in pixels. */
  get size(): { readonly width: number; readonly height: number } {
    return { width: this.#context.width, height: this.#context.height };
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

/**
 * Returns the encoders that can encode frames of a size.
 *
 * @throws MillraceError `source_unsupported` if none can.
 */
function encodersForSize(choices: readonly EncoderChoice[], width: number, height: number): readonly EncoderChoice[] {
  const side = Math.min(width, height);
  const able = choices.filter(({ minSide = 0 }) => side >= minSide);
  if (able.some(({ name }) => findEncoder(name) !== null)) return able;
  const minSide = Math.min(
    ...choices.filter(({ name }) => findEncoder(name) !== null).map(({ minSide = 0 }) => minSide),
  );
  if (side >= minSide || !Number.isFinite(minSide)) return choices;
  const message = `The video would have ${width} × ${height} pixels, but its encoder needs at least ${minSide} × ${minSide}.`;
  const remedy = 'Use another operation.video.codec, or change operation.video.crop and maxHeight.';
  throw new MillraceError('source_unsupported', `${message} ${remedy}`);
}

function findEncoder(name: string): Codec | null {
  return Codec.findEncoderByName(name as Parameters<typeof Codec.findEncoderByName>[0]);
}

/**
 * Returns the first of several encoders that this build of FFmpeg includes.
 *
 * @throws MillraceError `processing_failed` if it includes none of them.
 */
export function pickEncoder(choices: readonly EncoderChoice[]): {
  readonly choice: EncoderChoice;
  readonly codec: Codec;
} {
  for (const choice of choices) {
    const codec = findEncoder(choice.name);
    if (codec !== null) return { choice, codec };
  }
  const names = choices.map(({ name }) => name).join(', ');
  throw new MillraceError(
    'processing_failed',
    `This installation has none of the required encoders: ${names || 'none defined'}.`,
  );
}

async function openAudioCodec(
  choice: EncoderChoice,
  codec: Codec,
  format: AudioFormat,
  setup: EncoderSetup,
): Promise<CodecContext> {
  const { audioBitrate, audioOptions } = setup.settings;
  const bitRates = bitRatesToTry(choice, format, audioBitrate) ?? [undefined];
  let failure = 0;
  for (const bitRate of bitRates) {
    const context = new CodecContext();
    context.allocContext3(codec);
    context.sampleRate = format.sampleRate;
    context.sampleFormat = sampleFormatOf(codec);
    context.channelLayout = avChannelLayoutDefault(format.channels);
    context.timeBase = new Rational(1, format.sampleRate);
    if (bitRate !== undefined) context.bitRate = BigInt(bitRate);
    const isRequested = audioBitrate !== undefined && bitRate !== undefined;
    const ownOptions = isRequested ? choice.bitRateOptions?.(bitRate, format.sampleRate) : {};
    const result = await openCodec(context, codec, { ...choice.options, ...ownOptions, ...audioOptions }, setup);
    if (result >= 0) return context;
    failure = result;
    context.freeContext();
  }
  checkResult(failure, `${codec.name} could not be started`);
  throw new Error(`${codec.name} has no bit rate`);
}

/** Returns the result code of opening a codec. */
async function openCodec(
  context: CodecContext,
  codec: Codec,
  options: Readonly<Record<string, string>>,
  { threads, globalHeader }: EncoderSetup,
): Promise<number> {
  context.threadCount = threads;
  context.setFlags(AV_CODEC_FLAG_FRAME_DURATION);
  if (globalHeader) context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  // The synchronous open corrupts the heap when it is given options (node-av 6.1.1); the asynchronous open never did.
  return await context.open2(codec, Dictionary.fromObject({ ...options }));
}

/** Returns the source's time base, unless it is too coarse or too fine for an encoder. */
function videoTimeBase(base: IRational): Rational {
  const ticks = base.den / base.num;
  return ticks >= 10 && ticks <= 1_000_000 ? new Rational(base.num, base.den) : new Rational(1, 90_000);
}
