import { type BitrateSearch, isWithinGoal, sizeGoal } from './size-search.ts';

/** Fraction of the size that a constant bit rate may fill in the first attempt. Tags and the last frames need the rest. */
const maxFirstShare = 0.98;

/**
 * Searches the bit rate of an MP3 file, preferably a constant one. LAME reaches other bit rates only on average, and
 * uses far fewer bits for simple audio.
 */
export class Mp3Search implements BitrateSearch {
  readonly #maxBytes: number;
  readonly #constantRates: readonly number[];
  #seconds = 0;

  /** @param constantRates - the constant bit rates of the encoder in bit/s, in ascending order. */
  constructor(maxBytes: number, constantRates: readonly number[]) {
    this.#maxBytes = maxBytes;
    this.#constantRates = constantRates;
  }

  first(seconds: number): number {
    this.#seconds = seconds;
    const budget = (8 * this.#maxBytes) / seconds;
    const constantRate = this.#highestRate((rate) => rate <= maxFirstShare * budget) ?? this.#lowestRate;
    const fills = constantRate >= sizeGoal.min * budget || constantRate === this.#constantRates.at(-1);
    return fills ? constantRate : sizeGoal.aim * budget;
  }

  next(bitsPerSecond: number, bytes: number): number | undefined {
    const isConstant = this.#constantRates.includes(bitsPerSecond);
    if (isWithinGoal(bytes, this.#maxBytes) || (isConstant && bytes <= this.#maxBytes)) return undefined;
    const besidesAudio = isConstant ? bytes - this.#audioBytes(bitsPerSecond) : 0;
    const isUntried = (rate: number) => !isConstant || rate < bitsPerSecond;
    const fits = (rate: number) => besidesAudio + this.#audioBytes(rate) <= this.#maxBytes;
    return this.#highestRate((rate) => isUntried(rate) && fits(rate)) ?? [this.#lowestRate].find(isUntried);
  }

  get #lowestRate(): number {
    return this.#constantRates[0] ?? 0;
  }

  #highestRate(isPossible: (rate: number) => boolean): number | undefined {
    return this.#constantRates.findLast(isPossible);
  }

  #audioBytes(bitsPerSecond: number): number {
    return (bitsPerSecond * this.#seconds) / 8;
  }
}
