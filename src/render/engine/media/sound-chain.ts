import type { Frame, IRational } from 'node-av/lib';
import { FilterChain, type FilterStep, type TakeFrame } from './filters.ts';

/**
 * Filters for sound that may change its shape midway. Sound is first brought into one shape, so that the filters behind
 * that run from the beginning to the end: encoders take frames of one size, and only the last may be shorter.
 */
export class SoundChain {
  readonly #even: FilterChain;
  readonly #steps: FilterChain;
  readonly #take: TakeFrame;

  /**
   * @param sampleRate - of the frames that come out.
   * @param format - the filter that gives all frames the same format.
   * @param steps - the filters behind it.
   */
  constructor(sampleRate: number, format: FilterStep, steps: readonly FilterStep[], take: TakeFrame) {
    // Named even where the rate is right already: it also makes the time base that of the rate.
    this.#even = new FilterChain('audio', () => [['aresample', `${sampleRate}`], format]);
    this.#steps = new FilterChain('audio', () => steps);
    this.#take = take;
  }

  /** Takes a frame, whose timestamp is in `base`. */
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
