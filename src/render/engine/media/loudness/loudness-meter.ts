import { type FilterContext, FilterGraph, Frame, type IRational } from 'node-av/lib';
import { checkResult } from '../check-result.ts';
import { type AudioFormat, type AudioTarget, formatFilter, layoutName } from '../output/audio-format.ts';
import { addFilter, drainSink } from '../output/filter-chain.ts';
import { secondsToTicks, ticksToSeconds } from '../timestamps.ts';

/** Loudness of audio (EBU R128). */
export interface Loudness {
  /** Integrated loudness in LUFS; undefined for silence, and for audio that is too short to be measured. */
  readonly lufs: number | undefined;
  /** True peak in dBTP. */
  readonly peak: number;
}

/** Loudness that the meter reports for silence, in LUFS. */
const silence = -70;

/** Measures the loudness of audio. */
export class LoudnessMeter implements AudioTarget {
  readonly format: AudioFormat;
  readonly filters: AudioTarget['filters'];
  readonly #graph = new FilterGraph();
  readonly #source: FilterContext;
  readonly #meter: FilterContext;
  readonly #sink: FilterContext;
  readonly #frame = new Frame();
  #isEmpty = true;
  #loudness: Loudness = { lufs: undefined, peak: Number.NEGATIVE_INFINITY };

  /** @param format - format of the audio. */
  constructor(format: AudioFormat) {
    this.format = format;

    this.filters = [formatFilter(format, 'flt')];
    this.#frame.alloc();
    this.#graph.alloc();
    const { sampleRate, channels } = format;
    const shape = `sample_rate=${sampleRate}:sample_fmt=flt:channel_layout=${layoutName(channels)}`;
    this.#source = addFilter(this.#graph, 'abuffer', 'in', `${shape}:time_base=1/${sampleRate}`);
    this.#meter = addFilter(this.#graph, 'ebur128', 'meter', 'peak=true:framelog=quiet');
    this.#sink = addFilter(this.#graph, 'abuffersink', 'out', '');
    checkResult(this.#source.link(0, this.#meter, 0), 'the loudness meter could not be connected');
    checkResult(this.#meter.link(0, this.#sink, 0), 'the loudness meter could not be connected');
    checkResult(this.#graph.configSync(), 'the loudness meter could not be set up');
  }

  /** The loudness of all audio. Final after {@link end}. */
  get loudness(): Loudness {
    return this.#loudness;
  }

  readonly push = (frame: Frame, base: IRational): void => {
    this.#isEmpty = false;
    frame.pts = secondsToTicks(ticksToSeconds(frame.pts, base) ?? 0, { num: 1, den: this.format.sampleRate });
    this.#add(frame);
  };

  end(): void {
    this.#add(null);
    const lufs = Number(this.#meter.getOption('integrated'));
    // The library prints minus infinity as -inf.
    const peak = Number(this.#meter.getOption('true_peak'));
    this.#loudness = {
      lufs: lufs > silence && !this.#isEmpty ? lufs : undefined,
      peak: Number.isFinite(peak) ? peak : Number.NEGATIVE_INFINITY,
    };
    this.#graph.free();
  }

  #add(frame: Frame | null): void {
    checkResult(this.#source.buffersrcAddFrameSync(frame), 'the loudness could not be measured');
    drainSink(this.#sink, this.#frame, () => undefined);
  }
}
