import type { Frame, IRational } from 'node-av/lib';
import { FilterChain, type FilterSpec, type TakeFrame } from './filter-chain.ts';

/**
 * Filters audio whose format may change midway. The audio is first converted to one format, so that the later filters
 * run without a break. Encoders take frames of one size, and only the last may be shorter.
 */
export class AudioFilterChain {
  readonly #resampler: FilterChain;
  readonly #filters: FilterChain;
  readonly #take: TakeFrame;
  /** End of the audio so far, in samples. */
  #end: number | undefined;

  /**
   * @param sampleRate - sample rate of the output, in Hz.
   * @param formatFor - returns the filters that give all frames the same format as this one.
   * @param filtersFor - returns the filters after it for audio that begins with this frame.
   */
  constructor(
    sampleRate: number,
    formatFor: (frame: Frame) => readonly FilterSpec[],
    filtersFor: (frame: Frame) => readonly FilterSpec[],
    take: TakeFrame,
  ) {
    // Also needed if the rate is already right, because it sets the time base to 1/rate.
    this.#resampler = new FilterChain('audio', (frame) => {
      // At part boundaries, the encoders' padding overlaps. Overlaps are cut off and gaps filled, with sample accuracy.
      // libswresample counts `first_pts` in samples of its input (FFmpeg 8.1, `swr_init`).
      const end = this.#end === undefined ? undefined : Math.round((this.#end * frame.sampleRate) / sampleRate);
      const resync = end === undefined ? '' : `:async=1:first_pts=${end}`;
      return [['aresample', `${sampleRate}${resync}`], ...formatFor(frame)];
    });
    this.#filters = new FilterChain('audio', filtersFor);
    this.#take = take;
  }

  /** Filters a frame, whose timestamp is in `base`. */
  push(frame: Frame, base: IRational): void {
    this.#resampler.push(frame, base, this.#forward);
  }

  /** Ends a part once all its frames have been pushed. The frames of the next part may overlap them or begin later. */
  endPart(): void {
    this.#resampler.end(this.#forward);
  }

  /** Passes on the frames that the filters held back. */
  end(): void {
    this.#resampler.end(this.#forward);
    this.#filters.end(this.#take);
  }

  readonly #forward: TakeFrame = (frame, base) => {
    this.#end = Number(frame.pts) + frame.nbSamples;
    this.#filters.push(frame, base, this.#take);
  };
}
