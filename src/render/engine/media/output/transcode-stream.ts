import {
  AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
  AV_PKT_DATA_SPHERICAL,
  AV_PKT_DATA_STEREO3D,
  AVCOL_SPC_RGB,
} from 'node-av/constants';
import { Rational, type Stream } from 'node-av/lib';
import type { EncoderChoice } from '../../formats/container-formats.ts';
import { isRightAngled, type Orientation, upright } from '../../formats/orientation.ts';
import { orientationOf } from '../input/stream-orientation.ts';
import type { NamedStream, Sink } from '../sink.ts';
import { AudioFilterChain } from './audio-filter-chain.ts';
import { copyDescription } from './copy-stream.ts';
import { Encoder } from './encoder.ts';
import { FilterChain, type TakeFrame } from './filter-chain.ts';
import { type FrameShape, keepDisplayAspect, pixelAspectOf } from './pixel-aspect.ts';
import type { OutputStream } from './result-writer.ts';
import { rotatedShape, rotationFilters, rotationTo } from './rotation.ts';
import { StreamDecoder } from './stream-decoder.ts';

/** Side data that marks a video as spherical or stereoscopic. */
export const projectionSideData = [AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_STEREO3D] as const;

/** Side data about the brightness of HDR video: the range of its mastering display, and the content's light levels. */
export const lightLevelSideData = [AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL] as const;

/** Parameters of an encoder besides its stream. */
export interface EncodeOptions {
  /** Whether the container cannot store rotation, so that the frames themselves are rotated. */
  readonly losesDisplayMetadata: boolean;
  readonly choices: readonly EncoderChoice[];
  readonly threads: number;
  readonly globalHeader: boolean;
}

/** Remedy for a stream with too much damage. */
const remedy = 'Use another source, or set copyStreams to true to copy the stream with its damage.';

/** Decodes a stream and encodes it into the result. */
export async function transcodeStream(
  from: NamedStream,
  kind: 'video' | 'audio',
  output: OutputStream,
  options: EncodeOptions,
): Promise<Sink> {
  const { stream } = from;
  const chain =
    kind === 'video' ? await createVideoChain(from, output, options) : await createAudioChain(from, output, options);
  copyDescription(stream, output.stream);
  const { threads } = options;
  const decoder = await StreamDecoder.open(from, { threads, remedy }, (frame, base) => chain.push(frame, base));
  return {
    push: (packet) => decoder.push(packet),
    startPart: async (next) => {
      await decoder.startPart(next);
      chain.startPart(next);
    },
    end: () => {
      decoder.end();
      chain.end();
    },
    describeLosses: () => decoder.describeLosses(),
    undecodedPackets: () => decoder.undecodedPackets,
  };
}

/** The processing steps between a stream's frames and the result. */
interface Chain {
  push: TakeFrame;
  /** Called when all frames of a part have been pushed. The frames of `next` follow. */
  startPart(next: NamedStream | undefined): void;
  end(): void;
}

/** Rotates frames unless players do, and scales later parts to the size of the first. */
async function createVideoChain(from: NamedStream, output: OutputStream, options: EncodeOptions): Promise<Chain> {
  const own = orientationOf(from.stream);
  const target = options.losesDisplayMetadata && isRightAngled(own) ? upright : own;
  let rotation = rotationTo(target, from);
  const encoder = await openVideoEncoder(from.stream, rotation, output, options);
  let first: FrameShape | undefined;
  const chain = new FilterChain('video', ({ width, height, sampleAspectRatio }) => {
    const shape = rotatedShape({ width, height, sampleAspectRatio }, rotation);
    first ??= shape;
    return [...rotationFilters(rotation), ...keepDisplayAspect(shape, first, encoder.size), ...encoder.filters];
  });
  const encode: TakeFrame = (frame, base) => encoder.push(frame, base);
  return {
    push: (frame, base) => chain.push(frame, base, encode),
    startPart: (next) => {
      // The current filters are ended before `rotation` changes, because they keep the settings they were created with.
      chain.end(encode);
      if (next !== undefined) rotation = rotationTo(target, next);
    },
    end: () => {
      chain.end(encode);
      encoder.end();
    },
  };
}

/** Fills gaps in the audio with silence. Otherwise it would run ahead of the video after each gap. */
async function createAudioChain({ stream }: NamedStream, output: OutputStream, options: EncodeOptions): Promise<Chain> {
  const encoder = await Encoder.openAudio(options.choices, stream.codecpar, output, options);
  const [format, ...sizes] = encoder.filters;
  if (format === undefined) throw new Error('the audio encoder reports no sample format');
  const filters = [['aresample', 'async=1'], format, ...sizes] as const;
  const chain = new AudioFilterChain(encoder.sampleRate, format, filters, (frame, base) => encoder.push(frame, base));
  return {
    push: (frame, base) => chain.push(frame, base),
    startPart: () => chain.endPart(),
    end: () => {
      chain.end();
      encoder.end();
    },
  };
}

/** Opens an encoder that keeps a video's size after rotation, its rate, pixel aspect ratio and colour space. */
async function openVideoEncoder(
  from: Stream,
  rotation: Orientation,
  output: OutputStream,
  options: EncodeOptions,
): Promise<Encoder> {
  const { codecpar, timeBase, avgFrameRate } = from;
  const {
    width,
    height,
    sampleAspectRatio: pixelAspect,
  } = rotatedShape(
    { width: codecpar.width, height: codecpar.height, sampleAspectRatio: pixelAspectOf(from) },
    rotation,
  );
  // RGB is converted to YUV, so its colour space does not apply to the result.
  const colour = codecpar.colorSpace === AVCOL_SPC_RGB ? {} : { colour: codecpar };
  const shape = { width, height, timeBase, frameRate: avgFrameRate, pixelAspect, ...colour };
  const encoder = await Encoder.openVideo(options.choices, shape, output, options);
  const { stream } = output;
  stream.avgFrameRate = avgFrameRate;
  stream.sampleAspectRatio = new Rational(pixelAspect.num, pixelAspect.den);
  const sideDataTypes = options.losesDisplayMetadata
    ? []
    : [AV_PKT_DATA_DISPLAYMATRIX, ...projectionSideData, ...lightLevelSideData];
  for (const type of sideDataTypes) {
    const data = codecpar.getCodedSideData(type);
    if (data !== null) stream.codecpar.addCodedSideData(type, data);
  }
  return encoder;
}
