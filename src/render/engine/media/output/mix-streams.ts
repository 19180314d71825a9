import { type FilterContext, FilterGraph, Frame, type IRational } from 'node-av/lib';
import { checkResult } from '../check-result.ts';
import type { NamedStream, Sink } from '../sink.ts';
import { ticksToSeconds } from '../timestamps.ts';
import { AudioFilterChain } from './audio-filter-chain.ts';
import { Encoder } from './encoder.ts';
import { addFilter, drainSink, type FilterSpec, type TakeFrame } from './filter-chain.ts';
import type { OutputStream } from './result-writer.ts';
import { StreamDecoder } from './stream-decoder.ts';
import type { EncodeOptions } from './transcode-stream.ts';

/**
 * Mixes sounds into one stream of the result, as long as the longest of them. Each keeps its loudness; where their sum
 * would clip, a limiter turns it down. Returns a sink for each source.
 */
export async function mixStreams(
  sources: readonly NamedStream[],
  output: OutputStream,
  options: EncodeOptions,
): Promise<Sink[]> {
  const rates = sources.map(({ stream }) => stream.codecpar.sampleRate);
  const sampleRate = rates.includes(48_000) ? 48_000 : (rates[0] ?? 48_000);
  const encoder = await Encoder.openAudio(options.choices, { sampleRate, channels: 2 }, output, options);
  const mixer = new Mixer(sources.length, sampleRate, encoder);
  /** Seconds at which the first frame of each source plays. */
  const firstSeconds: (number | undefined)[] = [];
  return await Promise.all(
    sources.map(async (source, at): Promise<Sink> => {
      const chain = createSourceChain(sampleRate, (frame) => mixer.push(at, frame));
      const { threads } = options;
      const decoder = await StreamDecoder.open(source, { threads, remedy: 'Use another source.' }, (frame, base) => {
        firstSeconds[at] ??= ticksToSeconds(frame.pts, base);
        chain.push(frame, base);
      });
      return {
        push: (packet) => decoder.push(packet),
        startPart: async (next) => {
          await decoder.startPart(next);
          chain.endPart();
        },
        end: () => {
          decoder.end();
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

/**
 * Makes all sources alike, since a mix cannot change its shape midway, and begins each with silence up to its first
 * sound, since the mix puts first samples together whatever their time.
 */
function createSourceChain(sampleRate: number, take: TakeFrame): AudioFilterChain {
  const format: FilterSpec = ['aformat', `sample_fmts=fltp:sample_rates=${sampleRate}:channel_layouts=stereo`];
  return new AudioFilterChain(sampleRate, format, [['aresample', 'async=1:first_pts=0'], format], take);
}

class Mixer {
  readonly #inputs: readonly FilterContext[];
  readonly #sink: FilterContext;
  readonly #graph = new FilterGraph();
  readonly #encoder: Encoder;
  readonly #frame = new Frame();
  /** Samples of each source so far, with the silence before its first one. */
  readonly #samples: number[];
  readonly #sampleRate: number;
  #openInputs: number;

  constructor(count: number, sampleRate: number, encoder: Encoder) {
    this.#encoder = encoder;
    this.#openInputs = count;
    this.#samples = Array.from({ length: count }, () => 0);
    this.#sampleRate = sampleRate;
    this.#frame.alloc();
    this.#graph.alloc();
    const shape = `sample_rate=${sampleRate}:sample_fmt=fltp:channel_layout=stereo:time_base=1/${sampleRate}`;
    const mix = addFilter(
      this.#graph,
      'amix',
      'mix',
      `inputs=${count}:duration=longest:dropout_transition=0:normalize=0`,
    );
    this.#inputs = Array.from({ length: count }, (_, at) => {
      const input = addFilter(this.#graph, 'abuffer', `in${at}`, shape);
      checkResult(input.link(0, mix, at), 'sounds could not be joined');
      return input;
    });
    const filters: FilterSpec[] = [['alimiter', 'limit=0.95:level=disabled:latency=1'], ...encoder.filters];
    const last = filters.reduce((before, [name, args], at) => {
      const next = addFilter(this.#graph, name, `${name}${at}`, args);
      checkResult(before.link(0, next, 0), 'sounds could not be joined');
      return next;
    }, mix);
    this.#sink = addFilter(this.#graph, 'abuffersink', 'out', '');
    checkResult(last.link(0, this.#sink, 0), 'sounds could not be joined');
    checkResult(this.#graph.configSync(), 'sounds could not be mixed');
  }

  push(at: number, frame: Frame | null): void {
    const input = this.#inputs[at];
    if (input === undefined) throw new Error(`the mix has no input ${at}`);
    this.#samples[at] = (this.#samples[at] ?? 0) + (frame?.nbSamples ?? 0);
    checkResult(input.buffersrcAddFrameSync(frame), 'sounds could not be mixed');
    drainSink(this.#sink, this.#frame, (mixedFrame, base: IRational) => this.#encoder.push(mixedFrame, base));
  }

  /** Seconds at which a source ends so far. */
  endSeconds(at: number): number {
    return (this.#samples[at] ?? 0) / this.#sampleRate;
  }

  end(at: number): void {
    this.push(at, null);
    this.#openInputs -= 1;
    if (this.#openInputs > 0) return;
    this.#encoder.end();
    this.#graph.free();
  }
}
