import type { Frame, IRational } from 'node-av/lib';
import { FilterChain, type FilterStep, type TakeFrame } from './filters.ts';

/**
 * Filters for audio that may change its shape midway. Audio is first converted to one shape, so that the filters after
 * that run without a break: encoders take frames of one size, and only the last may be shorter.
 */
export class SoundChain {
  readonly #even: FilterChain;
  readonly #steps: FilterChain;
  readonly #take: TakeFrame;

  /**
   * @param sampleRate - sample rate of the output, in Hz.
   * @param format - the filter that gives all frames the same format.
   * @param steps - the filters after it.
   */
  constructor(sampleRate: number, format: FilterStep, steps: readonly FilterStep[], take: TakeFrame) {
    // Needed even if the rate is already right: it also sets the time base to 1/rate.
    this.#even = new FilterChain('audio', () => [['aresample', `${sampleRate}`], format]);
    this.#steps = new FilterChain('audio', () => steps);
    this.#take = take;
  }

  /** Filters a frame, whose timestamp is in `base`. */
  push(frame: Frame, base: IRational): void {
    this.#even.push(frame, base, this.#forward);
  }

  /** Hands over what the filters held back. */
  end(): void {
    this.#even.end(this.#forward);
    this.#steps.end(this.#take);
  }

  readonly #forward: TakeFrame = (frame, base) => this.#steps.push(frame, base, this.#take);
}
