import { type FilterContext, FilterGraph, Frame, type IRational } from 'node-av/lib';
import { checkResult } from '../check-result.ts';
import type { NamedStream, Sink } from '../sink.ts';
import { ticksToSeconds } from '../timestamps.ts';
import { AudioFilterChain } from './audio-filter-chain.ts';
import type { AudioFormat, AudioTarget } from './audio-format.ts';
import { type AudioGain, gainFilters } from './audio-gain.ts';
import type { ClipWindow } from './clip-window.ts';
import type { DecodeSetup } from './decode-stream.ts';
import { addFilter, drainSink, type FilterSpec, type TakeFrame } from './filter-chain.ts';
import { silenceFilters } from './silence.ts';
import { StreamDecoder } from './stream-decoder.ts';
import { trimFrames } from './trim-frames.ts';

/**
 * Mixes audio sources into one target, as long as the longest of them. Each source keeps its loudness unless `volumes`
 * changes it; a limiter lowers the volume where their sum would clip. Returns a sink for each source.
 *
 * @param volumes - factors of the amplitudes of the sources. Default: 1.
 */
export async function mixStreams(
  sources: readonly NamedStream[],
  volumes: readonly number[] | undefined,
  target: AudioTarget,
  gain: AudioGain | undefined,
  { threads, clip }: DecodeSetup,
): Promise<Sink[]> {
  const { sampleRate } = mixFormat(sources);
  const mixer = new Mixer(sources.length, sampleRate, target, gain, clip);
  /** Time at which the first frame of each source plays, in seconds. */
  const firstSeconds: (number | undefined)[] = [];
  return await Promise.all(
    sources.map(async (source, at): Promise<Sink> => {
      const chain = createSourceChain(sampleRate, volumes?.[at], (frame) => mixer.push(at, frame));
      const decodeOptions = { threads, remedy: 'Use another source.', mayBeEmpty: clip !== undefined };
      const trimmer = trimFrames('audio', clip, (frame, base) => {
        firstSeconds[at] ??= ticksToSeconds(frame.pts, base);
        chain.push(frame, base);
      });
      const decoder = await StreamDecoder.open(source, decodeOptions, trimmer.push);
      return {
        push: (packet) => decoder.push(packet),
        startPart: async (next) => {
          await decoder.startPart(next);
          chain.endPart();
        },
        end: () => {
          decoder.end();
          trimmer.end();
          chain.end();
          mixer.end(at);
        },
        describeLosses: () => decoder.describeLosses(),
        undecodedPackets: () => decoder.undecodedPackets,
        mixExtent: () => ({ first: firstSeconds[at] ?? 0, end: mixer.endSeconds(at) }),
      };
    }),
  );
}

/** Returns the format in which audio is mixed. */
export function mixFormat(sources: readonly NamedStream[]): AudioFormat {
  const rates = sources.map(({ stream }) => stream.codecpar.sampleRate);
  return { sampleRate: rates.includes(48_000) ? 48_000 : (rates[0] ?? 48_000), channels: 2 };
}

/**
 * Creates the filters of a source. They convert all sources to one format, because the mix cannot change its format
 * midway. They also add silence before the first frame, because the mix aligns the first samples of its sources
 * regardless of their timestamps.
 */
function createSourceChain(sampleRate: number, volume: number | undefined, take: TakeFrame): AudioFilterChain {
  const format: FilterSpec = ['aformat', `sample_fmts=fltp:sample_rates=${sampleRate}:channel_layouts=stereo`];
  const filters: FilterSpec[] = [['aresample', 'async=1:first_pts=0'], format];
  if (volume !== undefined) filters.push(['volume', `volume=${volume}:precision=float`]);
  // The resampler would lower mono by 3 dB. Players play it at full volume on both sides.
  const commonFilters = (frame: Frame) => (frame.channels === 1 ? [fullVolumeOnBothSides, format] : [format]);
  return new AudioFilterChain(sampleRate, commonFilters, () => filters, take);
}

/** The filter that plays mono audio in stereo at an unchanged volume. */
const fullVolumeOnBothSides: FilterSpec = ['pan', 'stereo|c0=c0|c1=c0'];

/** The filters of a mix. */
interface MixGraph {
  readonly graph: FilterGraph;
  readonly inputs: readonly FilterContext[];
  readonly sink: FilterContext;
}

class Mixer {
  readonly #build: () => MixGraph;
  #open: MixGraph | undefined;
  readonly #target: AudioTarget;
  readonly #frame = new Frame();
  /** Number of samples of each source so far, including the silence before its first one. */
  readonly #samples: number[];
  readonly #sampleRate: number;
  #openInputs: number;

  constructor(
    count: number,
    sampleRate: number,
    target: AudioTarget,
    gain: AudioGain | undefined,
    clip: ClipWindow | undefined,
  ) {
    this.#target = target;
    this.#openInputs = count;
    this.#samples = Array.from({ length: count }, () => 0);
    this.#sampleRate = sampleRate;
    this.#frame.alloc();
    // The end of a clip is known once the first frame arrives.
    this.#build = () =>
      buildMix(count, sampleRate, [
        ...silenceFilters(clip, sampleRate, 0),
        ['alimiter', 'limit=0.95:level=disabled:latency=1'],
        ...gainFilters(gain, sampleRate),
        ...target.filters,
      ]);
  }

  push(at: number, frame: Frame | null): void {
    this.#open ??= this.#build();
    const { inputs, sink } = this.#open;
    const input = inputs[at];
    if (input === undefined) throw new Error(`the mix has no input ${at}`);
    this.#samples[at] = (this.#samples[at] ?? 0) + (frame?.nbSamples ?? 0);
    checkResult(input.buffersrcAddFrameSync(frame), 'audio sources could not be mixed');
    drainSink(sink, this.#frame, (mixedFrame, base: IRational) => this.#target.push(mixedFrame, base));
  }

  /** Returns the end of a source so far, in seconds. */
  endSeconds(at: number): number {
    return (this.#samples[at] ?? 0) / this.#sampleRate;
  }

  end(at: number): void {
    this.push(at, null);
    this.#openInputs -= 1;
    if (this.#openInputs > 0) return;
    this.#target.end();
    this.#open?.graph.free();
  }
}

/** Builds the filters of a mix of sources, followed by others. */
function buildMix(count: number, sampleRate: number, filters: readonly FilterSpec[]): MixGraph {
  const graph = new FilterGraph();
  graph.alloc();
  const shape = `sample_rate=${sampleRate}:sample_fmt=fltp:channel_layout=stereo:time_base=1/${sampleRate}`;
  const mix = addFilter(graph, 'amix', 'mix', `inputs=${count}:duration=longest:dropout_transition=0:normalize=0`);
  const inputs = Array.from({ length: count }, (_, at) => {
    const input = addFilter(graph, 'abuffer', `in${at}`, shape);
    checkResult(input.link(0, mix, at), 'audio sources could not be connected');
    return input;
  });
  const last = filters.reduce((before, [name, args], at) => {
    const next = addFilter(graph, name, `${name}${at}`, args);
    checkResult(before.link(0, next, 0), 'audio sources could not be connected');
    return next;
  }, mix);
  const sink = addFilter(graph, 'abuffersink', 'out', '');
  checkResult(last.link(0, sink, 0), 'audio sources could not be connected');
  checkResult(graph.configSync(), 'audio sources could not be mixed');
  return { graph, inputs, sink };
}
