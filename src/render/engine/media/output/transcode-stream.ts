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
import { keepDisplayAspect, type PictureShape, pixelAspectOf } from './pixel-aspect.ts';
import { rotatedShape, rotateTo, rotationFilters } from './rotation.ts';
import { StreamDecoder } from './stream-decoder.ts';
import type { OutputStream } from './writer.ts';

/** Side data about the projection of a video: spherical, or stereoscopic. */
export const projections = [AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_STEREO3D] as const;

/** Side data about the brightness of HDR video: what its mastering display showed, and how light it gets. */
export const lightLevels = [AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL] as const;

/** What an encoder needs to know beside its stream. */
export interface EncodeSetup {
  /** The container stores no rotation, so the pictures themselves are turned. */
  readonly losesDisplay: boolean;
  readonly choices: readonly EncoderChoice[];
  readonly threads: number;
  readonly globalHeader: boolean;
}

/** What to do about a stream of which too much is damaged. */
const remedy = 'Use another source, or set copyStreams true to copy the stream with its damage.';

/** Decodes a stream and encodes it into the result. */
export async function transcodeStream(
  from: NamedStream,
  kind: 'video' | 'audio',
  output: OutputStream,
  setup: EncodeSetup,
): Promise<Sink> {
  const { stream } = from;
  const chain =
    kind === 'video' ? await pictureChain(from, output, setup) : await audioFilterChain(from, output, setup);
  copyDescription(stream, output.stream);
  const { threads } = setup;
  const decoder = await StreamDecoder.open(from, { threads, remedy }, (frame, base) => chain.push(frame, base));
  return {
    push: (packet) => decoder.push(packet),
    follow: async (next) => {
      await decoder.follow(next);
      chain.follow(next);
    },
    end: () => {
      decoder.end();
      chain.end();
    },
    lost: () => decoder.lost(),
    undecoded: () => decoder.undecoded,
  };
}

/** What frames of a stream go through on their way into the result. */
interface Chain {
  push: TakeFrame;
  /** The frames of a part have all been pushed; those of `next` come now. */
  follow(next: NamedStream | undefined): void;
  end(): void;
}

/** Turns pictures as players would, unless they will, and scales parts of another size to the size of the first. */
async function pictureChain(from: NamedStream, output: OutputStream, setup: EncodeSetup): Promise<Chain> {
  const own = orientationOf(from.stream);
  const target = setup.losesDisplay && isRightAngled(own) ? upright : own;
  let turn = rotateTo(target, from);
  const encoder = await openVideo(from.stream, turn, output, setup);
  let first: PictureShape | undefined;
  const chain = new FilterChain('video', ({ width, height, sampleAspectRatio }) => {
    const shape = rotatedShape({ width, height, sampleAspectRatio }, turn);
    first ??= shape;
    return [...rotationFilters(turn), ...keepDisplayAspect(shape, first, encoder.size), ...encoder.steps];
  });
  const encode: TakeFrame = (frame, base) => encoder.push(frame, base);
  return {
    push: (frame, base) => chain.push(frame, base, encode),
    follow: (next) => {
      // The filters go by what they were made for.
      chain.end(encode);
      if (next !== undefined) turn = rotateTo(target, next);
    },
    end: () => {
      chain.end(encode);
      encoder.end();
    },
  };
}

/** Fills gaps in the audio with silence; otherwise it would run ahead of the video after each. */
async function audioFilterChain({ stream }: NamedStream, output: OutputStream, setup: EncodeSetup): Promise<Chain> {
  const encoder = await Encoder.audio(setup.choices, stream.codecpar, output, setup);
  const [format, ...sizes] = encoder.steps;
  if (format === undefined) throw new Error('an encoder of sound names no format');
  const steps = [['aresample', 'async=1'], format, ...sizes] as const;
  const chain = new AudioFilterChain(encoder.sampleRate, format, steps, (frame, base) => encoder.push(frame, base));
  return {
    push: (frame, base) => chain.push(frame, base),
    follow: () => chain.endPart(),
    end: () => {
      chain.end();
      encoder.end();
    },
  };
}

/** Opens an encoder that keeps a video's size, rate, shape of pixels and colour space once it has been turned. */
async function openVideo(from: Stream, turn: Orientation, output: OutputStream, setup: EncodeSetup): Promise<Encoder> {
  const { codecpar, timeBase, avgFrameRate } = from;
  const {
    width,
    height,
    sampleAspectRatio: pixelAspect,
  } = rotatedShape({ width: codecpar.width, height: codecpar.height, sampleAspectRatio: pixelAspectOf(from) }, turn);
  // RGB is turned into YUV on the way, so its colour space is not that of the result.
  const colour = codecpar.colorSpace === AVCOL_SPC_RGB ? {} : { colour: codecpar };
  const shape = { width, height, timeBase, frameRate: avgFrameRate, pixelAspect, ...colour };
  const encoder = await Encoder.video(setup.choices, shape, output, setup);
  const { stream } = output;
  stream.avgFrameRate = avgFrameRate;
  stream.sampleAspectRatio = new Rational(pixelAspect.num, pixelAspect.den);
  const sideDataTypes = setup.losesDisplay ? [] : [AV_PKT_DATA_DISPLAYMATRIX, ...projections, ...lightLevels];
  for (const type of sideDataTypes) {
    const data = codecpar.getCodedSideData(type);
    if (data !== null) stream.codecpar.addCodedSideData(type, data);
  }
  return encoder;
}
