import { FilterGraph, Frame, type Stream } from 'node-av/lib';
import type { Chapter } from '../chapters/chapter.ts';
import type { Container, EncoderChoice } from '../containers.ts';
import { check } from '../media/check.ts';
import { Encoder, type VideoShape } from '../media/encoder.ts';
import { addFilter, type FilterStep } from '../media/filters.ts';
import { secondsOf, ticksOf } from '../media/time.ts';
import { Words } from '../media/words.ts';
import { Writer } from '../media/writer.ts';
import { mediaSeconds } from './media.ts';

/** A test file: a moving picture, a tone, or both. */
export interface Recipe {
  readonly container: Container;
  readonly video?: readonly EncoderChoice[];
  readonly audio?: readonly EncoderChoice[];
  /** Width and height of the video, if not 160 by 90. */
  readonly size?: readonly [width: number, height: number];
  /** Its pixel format, if not 8-bit 4:2:0. */
  readonly pixels?: string;
  /** Samples of the tone a second, if not 44,100. */
  readonly sampleRate?: number;
  /** Seconds that each lasts, if not {@link mediaSeconds}. */
  readonly videoSeconds?: number;
  readonly audioSeconds?: number;
  /** Seconds at which each begins, if not 0. */
  readonly videoStart?: number;
  readonly audioStart?: number;
  /** Moves frames to other times, in seconds, as in recordings with gaps; frames without one are left out. */
  readonly videoClock?: (seconds: number) => number | undefined;
  readonly audioClock?: (seconds: number) => number | undefined;
  /** Words about the file, and about its streams. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly chapters?: readonly Chapter[];
  readonly videoTraits?: (stream: Stream) => void;
  readonly audioTraits?: (stream: Stream) => void;
  /** Adds further streams to the file; each gives a function that writes its packets. */
  readonly extras?: readonly ((writer: Writer) => () => void)[];
}

const rate = 25;
const shape: Omit<VideoShape, 'width' | 'height'> = {
  timeBase: { num: 1, den: rate },
  frameRate: { num: rate, den: 1 },
  pixelAspect: { num: 1, den: 1 },
};

/** Makes a test file. */
export async function makeFile(path: string, recipe: Recipe): Promise<void> {
  const { container, video, audio, videoSeconds = mediaSeconds, audioSeconds = mediaSeconds } = recipe;
  const { size: [width, height] = [160, 90], pixels, sampleRate = 44_100 } = recipe;
  const writer = new Writer(container, path, 1e9, new Words(path));
  const setup = { threads: 1, globalHeader: writer.globalHeader };
  const feeds: (() => boolean)[] = [];
  if (video !== undefined) {
    const output = writer.addStream();
    const encoder = await Encoder.video(inPixels(video, pixels), { ...shape, width, height }, output, setup);
    recipe.videoTraits?.(output.stream);
    const pictures: FilterStep = ['testsrc2', `size=${width}x${height}:rate=${rate}:duration=${videoSeconds}`];
    feeds.push(feed(pictures, 'buffersink', encoder, clockOf(recipe.videoClock, recipe.videoStart), pixels));
  }
  if (audio !== undefined) {
    const output = writer.addStream();
    const encoder = await Encoder.audio(audio, { sampleRate, channels: 2 }, output, setup);
    recipe.audioTraits?.(output.stream);
    const tone: FilterStep = ['sine', `frequency=440:sample_rate=${sampleRate}:duration=${audioSeconds}`];
    feeds.push(feed(tone, 'abuffersink', encoder, clockOf(recipe.audioClock, recipe.audioStart)));
  }
  const writeExtras = (recipe.extras ?? []).map((add) => add(writer));
  writer.describe(recipe.metadata ?? {}, recipe.chapters);
  await writer.begin();
  for (const write of writeExtras) write();
  // In turns, so that the streams lie side by side in the file.
  while (feeds.map((more) => more()).includes(true));
  await writer.finish();
}

function inPixels(choices: readonly EncoderChoice[], pixels: string | undefined): readonly EncoderChoice[] {
  if (pixels === undefined) return choices;
  return choices.map((choice) => ({ ...choice, options: { ...choice.options, pixel_format: pixels } }));
}

type Clock = (seconds: number) => number | undefined;

function clockOf(clock: Clock = (seconds) => seconds, start = 0): Clock {
  return (seconds) => {
    const moved = clock(seconds);
    return moved === undefined ? undefined : moved + start;
  };
}

/** A function that encodes one more frame of a source, and says whether there was one. */
function feed(source: FilterStep, sinkName: string, encoder: Encoder, clock: Clock, pixels?: string): () => boolean {
  const graph = new FilterGraph();
  graph.alloc();
  const format: FilterStep[] = pixels === undefined ? [] : [['format', `pix_fmts=${pixels}`]];
  const steps = [source, ...encoder.steps, ...format, [sinkName, ''] as const];
  const filters = steps.map(([name, args], at) => addFilter(graph, name, `${name}${at}`, args));
  filters.slice(1).forEach((filter, at) => {
    check(filters[at]?.link(0, filter, 0) ?? -1, 'test filters could not be joined');
  });
  check(graph.configSync(), 'test filters could not be set up');
  const sink = filters.at(-1);
  const frame = new Frame();
  frame.alloc();
  let ended = false;
  return () => {
    if (ended || sink === undefined) return false;
    const got = sink.buffersinkGetFrameSync(frame);
    ended = got < 0;
    if (ended) {
      encoder.end();
      graph.free();
    } else {
      const base = sink.buffersinkGetTimeBase();
      const time = clock(secondsOf(frame.pts, base) ?? 0);
      if (time !== undefined) {
        frame.pts = ticksOf(time, base);
        encoder.push(frame, base);
      }
    }
    frame.unref();
    return !ended;
  };
}
