import type { Frame, IRational } from 'node-av/lib';
import { FilterChain, type FilterSpec, type TakeFrame } from './filter-chain.ts';

/**
 * Filters for audio that may change its shape midway. Audio is first converted to one shape, so that the filters after
 * that run without a break: encoders take frames of one size, and only the last may be shorter.
 */
export class AudioFilterChain {
  readonly #resampler: FilterChain;
  readonly #filters: FilterChain;
  readonly #take: TakeFrame;
  /** When the audio so far ends, in samples. */
  #end: number | undefined;

  /**
   * @param sampleRate - sample rate of the output, in Hz.
   * @param format - the filter that gives all frames the same format.
   * @param filters - the filters after it.
   */
  constructor(sampleRate: number, format: FilterSpec, filters: readonly FilterSpec[], take: TakeFrame) {
    // Needed even if the rate is already right: it also sets the time base to 1/rate.
    this.#resampler = new FilterChain('audio', () => {
      // Encoders' padding overlaps where parts meet. It is cut off, and gaps are filled, to the sample.
      const resync = this.#end === undefined ? '' : `:async=1:first_pts=${this.#end}`;
      return [['aresample', `${sampleRate}${resync}`], format];
    });
    this.#filters = new FilterChain('audio', () => filters);
    this.#take = take;
  }

  /** Filters a frame, whose timestamp is in `base`. */
  push(frame: Frame, base: IRational): void {
    this.#resampler.push(frame, base, this.#forward);
  }

  /** The frames of a part have all been pushed; those of the next one may overlap them, or begin later. */
  endPart(): void {
    this.#resampler.end(this.#forward);
  }

  /** Hands over what the filters held back. */
  end(): void {
    this.#resampler.end(this.#forward);
    this.#filters.end(this.#take);
  }

  readonly #forward: TakeFrame = (frame, base) => {
    this.#end = Number(frame.pts) + frame.nbSamples;
    this.#filters.push(frame, base, this.#take);
  };
}
