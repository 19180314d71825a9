import {
  AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
  AV_PKT_DATA_SPHERICAL,
  AV_PKT_DATA_STEREO3D,
  AVCOL_SPC_RGB,
} from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import type { EncoderChoice } from '../containers.ts';
import { copyDescription } from './copy.ts';
import { Encoder } from './encoder.ts';
import { FilterChain, type TakeFrame } from './filters.ts';
import { keepProportions, type PictureShape, pixelAspectOf } from './proportions.ts';
import type { NamedStream, Sink } from './sink.ts';
import { SoundChain } from './sound-chain.ts';
import { StreamDecoder } from './stream-decoder.ts';
import type { OutputStream } from './writer.ts';

/** Side data about the projection of a video: spherical, or stereoscopic. */
export const projections = [AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_STEREO3D] as const;

/** Side data about the brightness of HDR video: what its mastering display showed, and how light it gets. */
export const lightLevels = [AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL] as const;

/** What an encoder needs to know beside its stream. */
export interface EncodeSetup {
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
  const encoder =
    kind === 'video'
      ? await openVideo(stream, output, setup)
      : await Encoder.audio(setup.choices, stream.codecpar, output, setup);
  copyDescription(stream, output.stream);
  const chain = kind === 'video' ? pictureChain(encoder) : soundChain(encoder);
  const { threads } = setup;
  const decoder = await StreamDecoder.open(from, { threads, remedy }, (frame, base) => chain.push(frame, base));
  return {
    push: (packet) => decoder.push(packet),
    follow: async (next) => {
      await decoder.follow(next);
      chain.endPart();
    },
    end: () => {
      decoder.end();
      chain.end();
      encoder.end();
    },
    lost: () => decoder.lost(),
    undecoded: () => decoder.undecoded,
  };
}

/** Scales parts of another size to the size of the first. */
function pictureChain(encoder: Encoder): Pick<SoundChain, 'push' | 'endPart' | 'end'> {
  let first: PictureShape | undefined;
  const chain = new FilterChain('video', ({ width, height, sampleAspectRatio }) => {
    const shape = { width, height, sampleAspectRatio };
    first ??= shape;
    return [...keepProportions(shape, first, encoder.size), ...encoder.steps];
  });
  const encode: TakeFrame = (frame, base) => encoder.push(frame, base);
  return {
    push: (frame, base) => chain.push(frame, base, encode),
    endPart: () => undefined,
    end: () => chain.end(encode),
  };
}

/** Fills gaps in the audio with silence; otherwise it would run ahead of the video after each. */
function soundChain(encoder: Encoder): SoundChain {
  const [format, ...sizes] = encoder.steps;
  if (format === undefined) throw new Error('an encoder of sound names no format');
  const steps = [['aresample', 'async=1'], format, ...sizes] as const;
  return new SoundChain(encoder.sampleRate, format, steps, (frame, base) => encoder.push(frame, base));
}

/** Opens an encoder that keeps a video's size, rate, shape of pixels, colour space, and the way it is turned. */
async function openVideo(from: Stream, output: OutputStream, setup: EncodeSetup): Promise<Encoder> {
  const { codecpar, timeBase, avgFrameRate } = from;
  const { width, height } = codecpar;
  const pixelAspect = pixelAspectOf(from);
  // RGB is turned into YUV on the way, so its colour space is not that of the result.
  const colour = codecpar.colorSpace === AVCOL_SPC_RGB ? {} : { colour: codecpar };
  const shape = { width, height, timeBase, frameRate: avgFrameRate, pixelAspect, ...colour };
  const encoder = await Encoder.video(setup.choices, shape, output, setup);
  const { stream } = output;
  stream.avgFrameRate = avgFrameRate;
  stream.sampleAspectRatio = pixelAspect;
  for (const type of [AV_PKT_DATA_DISPLAYMATRIX, ...projections, ...lightLevels]) {
    const data = codecpar.getCodedSideData(type);
    if (data !== null) stream.codecpar.addCodedSideData(type, data);
  }
  return encoder;
}
