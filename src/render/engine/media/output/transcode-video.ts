import {
  AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
  AV_PKT_DATA_SPHERICAL,
  AV_PKT_DATA_STEREO3D,
  AVCOL_SPC_RGB,
  type AVPacketSideDataType,
} from 'node-av/constants';
import { Rational, type Stream } from 'node-av/lib';
import type { VideoShape } from '../../../../contract/encoding.ts';
import type { EncoderChoice } from '../../formats/encoder-choice.ts';
import { isRightAngled, type Orientation, upright } from '../../formats/orientation.ts';
import { orientationOf } from '../input/stream-orientation.ts';
import type { NamedStream, Sink } from '../sink.ts';
import { codecTagFor, copyDescription } from './copy-stream.ts';
import { type Chain, type DecodeSetup, decodeStream } from './decode-stream.ts';
import { Encoder, type EncoderSetup } from './encoder.ts';
import { FilterChain, type TakeFrame } from './filter-chain.ts';
import { cropFilters, frameGeometry } from './frame-geometry.ts';
import { FrameRateLimit } from './frame-rate-limit.ts';
import { type FrameShape, keepDisplayAspect, pixelAspectOf } from './pixel-aspect.ts';
import type { OutputStream } from './result-writer.ts';
import { rotatedShape, rotationFilters, rotationTo } from './rotation.ts';

/** Side data that marks a video as spherical or stereoscopic. */
export const projectionSideData = [AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_STEREO3D] as const;

/** Side data about the brightness of HDR video: the range of its mastering display, and the content's light levels. */
export const lightLevelSideData = [AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL] as const;

/** Parameters of an encoded video besides its source. */
export interface EncodeOptions extends EncoderSetup, DecodeSetup {
  /** FFmpeg's name of the muxer. */
  readonly muxer: string;
  /** Whether the container cannot store rotation, so that the frames themselves are rotated. */
  readonly losesDisplayMetadata: boolean;
  readonly choices: readonly EncoderChoice[];
}

/** Decodes a video and encodes it into the result. */
export async function transcodeVideo(from: NamedStream, output: OutputStream, options: EncodeOptions): Promise<Sink> {
  const chain = await createVideoChain(from, output, options);
  copyDescription(from.stream, output.stream);
  return await decodeStream(from, 'video', chain, options);
}

/**
 * Gives frames the requested shape and rate, and scales later parts to the size of the first. Frames are rotated unless
 * players do so, and always if they are cropped or scaled, because their shape is that of the displayed frame.
 */
async function createVideoChain(from: NamedStream, output: OutputStream, options: EncodeOptions): Promise<Chain> {
  const { video: videoShape = {} } = options.settings;
  const own = orientationOf(from.stream);
  const isReshaped = videoShape.crop !== undefined || videoShape.maxHeight !== undefined;
  const target = (options.losesDisplayMetadata || isReshaped) && isRightAngled(own) ? upright : own;
  let part = from.stream;
  let limit = frameRateLimitOf(part, videoShape);
  let rotation = rotationTo(target, from);
  const encoder = await openVideoEncoder(from.stream, rotation, output, options, limit);
  if (target !== upright && !options.losesDisplayMetadata) {
    copySideData(from.stream, output.stream, [AV_PKT_DATA_DISPLAYMATRIX]);
  }
  let first: FrameShape | undefined;
  const chain = new FilterChain('video', (frame) => {
    const { width, height } = frame;
    const sampleAspectRatio = part.sampleAspectRatio.num > 0 ? part.sampleAspectRatio : frame.sampleAspectRatio;
    const rotated = rotatedShape({ width, height, sampleAspectRatio }, rotation);
    const { crop } = frameGeometry(rotated, videoShape);
    const shape = { ...rotated, ...crop };
    first ??= shape;
    return [
      ...rotationFilters(rotation),
      ...cropFilters(crop),
      ...keepDisplayAspect(shape, first, encoder.size),
      ...encoder.filters,
    ];
  });
  const encode: TakeFrame = (frame, base) => encoder.push(frame, base);
  return {
    push: (frame, base) => {
      if (limit?.keeps(frame, base) !== false) chain.push(frame, base, encode);
    },
    startPart: (next) => {
      // The current filters are ended before `rotation` changes, because they keep the settings they were created with.
      chain.end(encode);
      if (next === undefined) return;
      rotation = rotationTo(target, next);
      part = next.stream;
      limit = frameRateLimitOf(part, videoShape);
    },
    end: () => {
      chain.end(encode);
      encoder.end();
    },
  };
}

/** Opens an encoder that keeps a video's pixel aspect ratio and colour space, and its size and rate unless requested. */
async function openVideoEncoder(
  from: Stream,
  rotation: Orientation,
  output: OutputStream,
  options: EncodeOptions,
  limit: FrameRateLimit | undefined,
): Promise<Encoder> {
  const { codecpar, timeBase } = from;
  const frame = rotatedShape(
    { width: codecpar.width, height: codecpar.height, sampleAspectRatio: pixelAspectOf(from) },
    rotation,
  );
  const { video: videoShape = {} } = options.settings;
  const { width, height } = frameGeometry(frame, videoShape);
  const pixelAspect = frame.sampleAspectRatio;
  const frameRate = limit?.frameRate ?? from.avgFrameRate;
  // RGB is converted to YUV, so its colour space does not apply to the result.
  const colour = codecpar.colorSpace === AVCOL_SPC_RGB ? {} : { colour: codecpar };
  const encoder = await Encoder.openVideo(
    options.choices,
    { width, height, timeBase, frameRate, pixelAspect, ...colour },
    output,
    options,
  );
  const { stream } = output;
  stream.codecpar.codecTag = codecTagFor(stream, options.muxer);
  stream.avgFrameRate = new Rational(frameRate.num, frameRate.den);
  stream.sampleAspectRatio = new Rational(pixelAspect.num, pixelAspect.den);
  if (options.losesDisplayMetadata) return encoder;
  // A part of a spherical frame is flat.
  const projection = videoShape.crop === undefined ? projectionSideData : [];
  copySideData(from, stream, [...projection, ...lightLevelSideData]);
  return encoder;
}

/** Returns the limit of a stream's frame rate; undefined unless the stream has, or may have, a higher one. */
function frameRateLimitOf({ avgFrameRate: { num, den } }: Stream, { maxFps }: VideoShape): FrameRateLimit | undefined {
  const fps = num > 0 && den > 0 ? num / den : undefined;
  return maxFps === undefined || (fps !== undefined && fps <= maxFps) ? undefined : new FrameRateLimit(maxFps, fps);
}

function copySideData({ codecpar }: Stream, to: Stream, types: readonly AVPacketSideDataType[]): void {
  for (const type of types) {
    const data = codecpar.getCodedSideData(type);
    if (data !== null) to.codecpar.addCodedSideData(type, data);
  }
}
