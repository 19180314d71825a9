import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import {
  avChannelLayoutDescribe,
  Filter,
  type FilterContext,
  FilterGraph,
  type Frame,
  type IRational,
} from 'node-av/lib';
import { check } from './check.ts';

/** A filter and its arguments, as FFmpeg writes them. */
export type FilterStep = readonly [name: string, args: string];

/** A chain of filters with one input and one output, shaped by the frames that come in. */
export class FilterChain {
  readonly #kind: 'video' | 'audio';
  readonly #base: IRational;
  readonly #steps: (first: boolean) => readonly FilterStep[];
  readonly #output: Frame;
  #open: { readonly graph: FilterGraph; readonly source: FilterContext; readonly sink: FilterContext } | undefined;
  #shape = '';

  /**
   * @param base - time base of the frames that come in.
   * @param steps - the filters; asked again, with `first` false, when frames change their shape midway.
   * @param output - a frame to hand results over in.
   */
  constructor(
    kind: 'video' | 'audio',
    base: IRational,
    steps: (first: boolean) => readonly FilterStep[],
    output: Frame,
  ) {
    this.#kind = kind;
    this.#base = base;
    this.#steps = steps;
    this.#output = output;
  }

  /** Takes a frame, and hands over what comes out. */
  push(frame: Frame, take: (frame: Frame, base: IRational) => void): void {
    const shape = this.#kind === 'video' ? videoShape(frame) : audioShape(frame);
    if (shape !== this.#shape) {
      const first = this.#shape === '';
      this.end(take);
      this.#shape = shape;
      this.#open = this.#build(shape, this.#steps(first));
    }
    if (this.#open === undefined) return;
    check(this.#open.source.buffersrcAddFrameSync(frame), 'a frame could not be filtered');
    this.#drain(take);
  }

  /** Hands over what the filters held back. */
  end(take: (frame: Frame, base: IRational) => void): void {
    if (this.#open === undefined) return;
    check(this.#open.source.buffersrcAddFrameSync(null), 'filtering could not be ended');
    this.#drain(take);
    this.#open.graph.free();
    this.#open = undefined;
  }

  #drain(take: (frame: Frame, base: IRational) => void): void {
    if (this.#open === undefined) return;
    drainSink(this.#open.sink, this.#output, take);
  }

  #build(shape: string, steps: readonly FilterStep[]) {
    const graph = new FilterGraph();
    graph.alloc();
    const { num, den } = this.#base;
    const prefix = this.#kind === 'video' ? '' : 'a';
    const source = addFilter(graph, `${prefix}buffer`, 'in', `${shape}:time_base=${num}/${den}`);
    let last = source;
    steps.forEach(([name, args], at) => {
      const next = addFilter(graph, name, `${name}${at}`, args);
      check(last.link(0, next, 0), 'filters could not be joined');
      last = next;
    });
    const sink = addFilter(graph, `${prefix}buffersink`, 'out', '');
    check(last.link(0, sink, 0), 'filters could not be joined');
    check(graph.configSync(), 'filters could not be set up');
    return { graph, source, sink };
  }
}

/** Takes all frames that a filter graph has ready. */
export function drainSink(sink: FilterContext, output: Frame, take: (frame: Frame, base: IRational) => void): void {
  const base = sink.buffersinkGetTimeBase();
  for (;;) {
    const got = sink.buffersinkGetFrameSync(output);
    if (got === AVERROR_EAGAIN || got === AVERROR_EOF) return;
    check(got, 'a filtered frame could not be had');
    take(output, base);
    output.unref();
  }
}

/** Makes a filter of a graph. */
export function addFilter(graph: FilterGraph, name: string, label: string, args: string): FilterContext {
  const filter = Filter.getByName(name);
  const context = filter === null ? null : graph.createFilter(filter, label, args === '' ? null : args);
  if (context === null) throw new Error(`filter ${name} cannot be made with ${args}`);
  return context;
}

function videoShape(frame: Frame): string {
  const { width, height, format, sampleAspectRatio, colorSpace, colorRange } = frame;
  const aspect = sampleAspectRatio.num > 0 ? `${sampleAspectRatio.num}/${sampleAspectRatio.den}` : '0/1';
  return `video_size=${width}x${height}:pix_fmt=${format}:pixel_aspect=${aspect}:colorspace=${colorSpace}:range=${colorRange}`;
}

function audioShape(frame: Frame): string {
  const layout = avChannelLayoutDescribe(frame.channelLayout) ?? `${frame.channels} channels`;
  return `sample_rate=${frame.sampleRate}:sample_fmt=${frame.format}:channel_layout=${layout}`;
}
