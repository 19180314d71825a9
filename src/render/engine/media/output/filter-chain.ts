import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { avChannelLayoutDescribe, Filter, type FilterContext, FilterGraph, Frame, type IRational } from 'node-av/lib';
import { checkResult } from '../check-result.ts';

/** A filter and its arguments, in FFmpeg's syntax. */
export type FilterSpec = readonly [name: string, args: string];

/** Receives a frame, whose timestamp is in `base`. The frame is valid only during the call. */
export type TakeFrame = (frame: Frame, base: IRational) => void;

/** A chain of filters with one input and one output, built for the format of the incoming frames. */
export class FilterChain {
  readonly #kind: 'video' | 'audio';
  readonly #filtersFor: (frame: Frame) => readonly FilterSpec[];
  readonly #output = new Frame();
  #open: { readonly graph: FilterGraph; readonly source: FilterContext; readonly sink: FilterContext } | undefined;
  #shape = '';

  /**
   * @param filtersFor - returns the filters for frames of one format. Called again with a frame whenever the format
   * changes.
   */
  constructor(kind: 'video' | 'audio', filtersFor: (frame: Frame) => readonly FilterSpec[]) {
    this.#kind = kind;
    this.#filtersFor = filtersFor;
    this.#output.alloc();
  }

  /** Filters a frame, whose timestamp is in `base`, and passes on the resulting frames. */
  push(frame: Frame, base: IRational, take: TakeFrame): void {
    const own = this.#kind === 'video' ? videoShape(frame) : audioShape(frame);
    const shape = `${own}:time_base=${base.num}/${base.den}`;
    if (shape !== this.#shape) {
      this.end(take);
      this.#shape = shape;
      this.#open = this.#build(shape, this.#filtersFor(frame));
    }
    if (this.#open === undefined) return;
    checkResult(this.#open.source.buffersrcAddFrameSync(frame), 'a frame could not be filtered');
    this.#drain(take);
  }

  /** Passes on the frames that the filters held back. Later frames get new filters. */
  end(take: TakeFrame): void {
    if (this.#open === undefined) return;
    checkResult(this.#open.source.buffersrcAddFrameSync(null), 'filtering could not be finished');
    this.#drain(take);
    this.#open.graph.free();
    this.#open = undefined;
    this.#shape = '';
  }

  #drain(take: TakeFrame): void {
    if (this.#open === undefined) return;
    drainSink(this.#open.sink, this.#output, take);
  }

  #build(shape: string, filters: readonly FilterSpec[]) {
    const graph = new FilterGraph();
    graph.alloc();
    const prefix = this.#kind === 'video' ? '' : 'a';
    const source = addFilter(graph, `${prefix}buffer`, 'in', shape);
    let last = source;
    filters.forEach(([name, args], at) => {
      const next = addFilter(graph, name, `${name}${at}`, args);
      checkResult(last.link(0, next, 0), 'filters could not be connected');
      last = next;
    });
    const sink = addFilter(graph, `${prefix}buffersink`, 'out', '');
    checkResult(last.link(0, sink, 0), 'filters could not be connected');
    checkResult(graph.configSync(), 'filters could not be set up');
    return { graph, source, sink };
  }
}

/** Passes on all frames that a filter graph has ready. */
export function drainSink(sink: FilterContext, output: Frame, take: TakeFrame): void {
  const base = sink.buffersinkGetTimeBase();
  for (;;) {
    const result = sink.buffersinkGetFrameSync(output);
    if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
    checkResult(result, 'a filtered frame could not be read');
    take(output, base);
    output.unref();
  }
}

/** Creates a filter in a graph. */
export function addFilter(graph: FilterGraph, name: string, label: string, args: string): FilterContext {
  const filter = Filter.getByName(name);
  const context = filter === null ? null : graph.createFilter(filter, label, args === '' ? null : args);
  if (context === null) throw new Error(`filter ${name} cannot be created with ${args}`);
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
