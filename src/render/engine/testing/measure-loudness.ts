import { FilterGraph, Frame } from 'node-av/lib';
import { addFilter, drainSink } from '../media/output/filter-chain.ts';

/** Loudness of a file. */
export interface MeasuredLoudness {
  /** Integrated loudness in LUFS. */
  readonly lufs: number;
  /** True peak in dBTP. */
  readonly peak: number;
}

/** Measures the first audio stream of a file with the media library alone: it reads, decodes and measures the file. */
export function measureLoudness(path: string): MeasuredLoudness {
  const graph = new FilterGraph();
  graph.alloc();
  const movie = addFilter(graph, 'amovie', 'movie', `filename=${path}`);
  const meter = addFilter(graph, 'ebur128', 'meter', 'peak=true:framelog=quiet');
  const sink = addFilter(graph, 'abuffersink', 'out', '');
  for (const [from, to] of [
    [movie, meter],
    [meter, sink],
  ] as const) {
    if (from.link(0, to, 0) < 0) throw new Error('filters could not be connected');
  }
  if (graph.configSync() < 0) throw new Error(`${path} cannot be read`);
  const frame = new Frame();
  frame.alloc();
  drainSink(sink, frame, () => undefined);
  return { lufs: Number(meter.getOption('integrated')), peak: Number(meter.getOption('true_peak')) };
}
