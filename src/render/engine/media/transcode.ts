import { AV_PKT_DATA_DISPLAYMATRIX, AVCOL_SPC_RGB } from 'node-av/constants';
import { Frame, type Stream } from 'node-av/lib';
import type { EncoderChoice } from '../containers.ts';
import { copyDescription } from './copy.ts';
import { Decoder } from './decoder.ts';
import { Encoder } from './encoder.ts';
import { FilterChain } from './filters.ts';
import type { Sink } from './sink.ts';
import type { OutputStream } from './writer.ts';

/** What an encoder needs to know beside its stream. */
export interface EncodeSetup {
  readonly choices: readonly EncoderChoice[];
  readonly threads: number;
  readonly globalHeader: boolean;
}

/** Decodes a stream and encodes it into the result; `what` names it in messages. */
export async function transcodeStream(
  from: Stream,
  kind: 'video' | 'audio',
  output: OutputStream,
  setup: EncodeSetup,
  what: string,
): Promise<Sink> {
  const decoder = await Decoder.open(from, setup.threads, what);
  const encoder =
    kind === 'video'
      ? await openVideo(from, output, setup)
      : await Encoder.audio(setup.choices, from.codecpar, output, setup);
  copyDescription(from, output.stream);
  // Gaps in the sound become silence, or it would run ahead of the picture after each.
  const before = kind === 'video' ? [] : ([['aresample', 'async=1']] as const);
  const filtered = new Frame();
  filtered.alloc();
  const chain = new FilterChain(kind, from.timeBase, () => [...before, ...encoder.steps], filtered);
  const encode: Encoder['push'] = (frame, base) => encoder.push(frame, base);
  const filter = (frame: Frame) => chain.push(frame, encode);
  return {
    push: (packet) => decoder.push(packet, filter),
    end: () => {
      decoder.end(filter);
      chain.end(encode);
      encoder.end();
    },
  };
}

/** Opens an encoder that keeps a video's size, rate, shape of pixels, colour space, and the way it is turned. */
async function openVideo(from: Stream, output: OutputStream, setup: EncodeSetup): Promise<Encoder> {
  const { codecpar, timeBase, avgFrameRate, sampleAspectRatio } = from;
  const { width, height } = codecpar;
  const pixelAspect = sampleAspectRatio.num > 0 ? sampleAspectRatio : codecpar.sampleAspectRatio;
  // RGB is turned into YUV on the way, so its colour space is not that of the result.
  const colour = codecpar.colorSpace === AVCOL_SPC_RGB ? {} : { colour: codecpar };
  const shape = { width, height, timeBase, frameRate: avgFrameRate, pixelAspect, ...colour };
  const encoder = await Encoder.video(setup.choices, shape, output, setup);
  const { stream } = output;
  stream.avgFrameRate = avgFrameRate;
  stream.sampleAspectRatio = pixelAspect;
  const turn = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (turn !== null) stream.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, turn);
  return encoder;
}
