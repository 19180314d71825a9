import { Codec, type Stream } from 'node-av/lib';
import type { EncoderChoice } from '../formats/encoder-choice.ts';
import { LibraryLog } from '../media/library-log.ts';
import type { FilterSpec } from '../media/output/filter-chain.ts';
import type { Clip } from './corpus/clips.ts';
import { encodeClip } from './corpus/encode.ts';
import { type MuxedFile, type MuxedStream, muxFile, wantsGlobalHeader } from './corpus/mux.ts';
import { mediaSeconds } from './media-names.ts';

/** A test file: a test video, a tone, or both. */
export interface Recipe extends Pick<MuxedFile, 'metadata' | 'chapters' | 'extras'> {
  readonly container: MuxedFile['muxing'];
  readonly video?: readonly EncoderChoice[];
  readonly audio?: readonly EncoderChoice[];
  /** Width and height of the video, if not 160 by 90. */
  readonly size?: readonly [width: number, height: number];
  /** Frames per second of the video, if not 25. */
  readonly rate?: number;
  /** Pixel format of the video, if not 8-bit 4:2:0. */
  readonly pixels?: string;
  /** Filters that generate the sound, if it is not a tone. */
  readonly sound?: readonly FilterSpec[];
  /** Sample rate of the tone, if not 44,100 Hz, and its channel layout, if not stereo. */
  readonly sampleRate?: number;
  readonly layout?: string;
  /** Duration of the video and of the tone in seconds, if not {@link mediaSeconds}. */
  readonly videoSeconds?: number;
  readonly audioSeconds?: number;
  /** Start of the video and of the tone in seconds, if not 0. */
  readonly videoStart?: number;
  readonly audioStart?: number;
  /**
   * Moves frames to other times, in seconds, as in recordings with gaps. Frames for which it returns no time are left
   * out.
   */
  readonly videoClock?: Clip['clock'];
  readonly audioClock?: Clip['clock'];
  readonly videoTraits?: (stream: Stream) => void;
  readonly audioTraits?: (stream: Stream) => void;
}

/** Frame rate of the video, if a recipe has none. */
const defaultRate = 25;

/** Creates a test file. */
export async function makeFile(path: string, recipe: Recipe): Promise<void> {
  const { container: muxing, metadata, chapters, extras } = recipe;
  const libraryLog = new LibraryLog(path);
  const globalHeader = wantsGlobalHeader(muxing, libraryLog);
  const streams: MuxedStream[] = [];
  for (const { clip, start = 0, describe } of streamsOf(recipe)) {
    // The muxer decides whether a file declares a frame rate.
    const encodedClip = { ...(await encodeClip(clip, globalHeader)), frameRate: { num: 0, den: 1 } };
    streams.push({ clip: encodedClip, start, ...(describe && { describe }) });
  }
  await muxFile(
    path,
    { muxing, streams, ...(metadata && { metadata }), ...(chapters && { chapters }), ...(extras && { extras }) },
    libraryLog,
  );
}

function streamsOf(recipe: Recipe) {
  const {
    size = [160, 90],
    videoSeconds = mediaSeconds,
    audioSeconds = mediaSeconds,
    sampleRate = 44_100,
    rate = defaultRate,
  } = recipe;
  const pictures: readonly FilterSpec[] = [
    ['testsrc2', `size=${size.join('x')}:rate=${rate}:duration=${videoSeconds}`],
    ['scale', 'out_range=tv'],
  ];
  const tone: readonly FilterSpec[] = [
    ...(recipe.sound ?? [['sine', `frequency=440:sample_rate=${sampleRate}:duration=${audioSeconds}`]]),
    ['aformat', `channel_layouts=${recipe.layout ?? 'stereo'}`],
  ];
  const { video, audio, videoClock, audioClock, videoStart, audioStart, videoTraits, audioTraits } = recipe;
  return [
    ...(video === undefined
      ? []
      : [
          {
            clip: { ...clipOf('video', video, pictures, [rate, 1], videoClock), format: recipe.pixels ?? 'yuv420p' },
            start: videoStart,
            describe: videoTraits,
          },
        ]),
    ...(audio === undefined
      ? []
      : [{ clip: clipOf('audio', audio, tone, [0, 1], audioClock), start: audioStart, describe: audioTraits }]),
  ];
}

function clipOf(
  kind: Clip['kind'],
  choices: readonly EncoderChoice[],
  frames: Clip['frames'],
  rate: Clip['rate'],
  clock: Clip['clock'],
): Clip {
  const choice = choices.find(({ name }) => Codec.findEncoderByName(name as never) !== null);
  if (choice === undefined) throw new Error('this build has no encoder for a test file');
  const { name: encoder, options, quality, bitRatePerChannel } = choice;
  return {
    ...{ kind, codec: encoder, encoder, frames },
    options: { ...(bitRatePerChannel && { b: `${2 * bitRatePerChannel}` }), ...options, ...quality },
    rate,
    ...(clock && { clock }),
  };
}
