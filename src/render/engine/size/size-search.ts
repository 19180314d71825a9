/** Fraction of the maximum size that a result must reach, and that encoders aim at. */
export const sizeGoal = { min: 0.9, aim: 0.955 } as const;

/** Duration in seconds up to which a result may be smaller than {@link sizeGoal} requires. */
export const shortSeconds = 5;

/** Maximum number of times that the streams are encoded. */
const maxAttempts = 7;

/** Growth of a result, relative to that of the bit rate, below which its encoder does not use more bits. */
const saturation = 0.1;

/** Growths with which the next attempt is estimated. */
const growthRange = { min: 0.25, max: 1.5 } as const;

/** Factor by which the bit rate changes at most from one attempt to the next. */
const maxChange = 6;

interface Attempt {
  readonly bitsPerSecond: number;
  readonly bytes: number;
}

/** Whether a result has between 90 % and 100 % of a size. */
export function isWithinGoal(bytes: number, maxBytes: number): boolean {
  return bytes <= maxBytes && bytes >= sizeGoal.min * maxBytes;
}

/** Searches the bit rate at which a result has between 90 % and 100 % of a size. */
export interface BitrateSearch {
  /** Returns the bit rate of the first attempt in bit/s, for streams of the given duration. */
  first(seconds: number): number;
  /**
   * Records an attempt, and returns the bit rate of the next one; undefined if the goal is reached, or if another attempt
   * is unlikely to come closer.
   */
  next(bitsPerSecond: number, bytes: number): number | undefined;
}

/** Searches the bit rate of encoders whose results grow with it. */
export class SizeSearch implements BitrateSearch {
  readonly #maxBytes: number;
  readonly #attempts: Attempt[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  first(seconds: number): number {
    return (8 * sizeGoal.aim * this.#maxBytes) / seconds;
  }

  next(bitsPerSecond: number, bytes: number): number | undefined {
    const growth = this.#growthTo({ bitsPerSecond, bytes });
    this.#attempts.push({ bitsPerSecond, bytes });
    if (isWithinGoal(bytes, this.#maxBytes) || this.#attempts.length === maxAttempts) return undefined;
    if (bytes < this.#maxBytes && growth < saturation) return undefined;
    const { below, above } = this.#bounds();
    if (below === undefined || above === undefined) {
      const factor = (sizeGoal.aim * this.#maxBytes) / bytes;
      return bitsPerSecond * limitChange(factor ** (1 / Math.min(growthRange.max, Math.max(growthRange.min, growth))));
    }
    if (above.bitsPerSecond / below.bitsPerSecond < 1.005) return undefined;
    const [before] = this.#attempts.slice(-2);
    if (before !== undefined && this.#attempts.length > 2 && before.bytes > this.#maxBytes === bytes > this.#maxBytes) {
      return Math.sqrt(below.bitsPerSecond * above.bitsPerSecond);
    }
    // Between two attempts, the size usually grows almost linearly.
    const fraction = (sizeGoal.aim * this.#maxBytes - below.bytes) / (above.bytes - below.bytes);
    return below.bitsPerSecond + Math.min(0.9, Math.max(0.1, fraction)) * (above.bitsPerSecond - below.bitsPerSecond);
  }

  /**
   * Returns how much the size has grown since the attempt before, relative to the bit rate: 1 if both grew by the same
   * factor, 0 if the size did not change.
   */
  #growthTo({ bitsPerSecond, bytes }: Attempt): number {
    const before = this.#attempts.at(-1);
    if (before === undefined || before.bitsPerSecond === bitsPerSecond) return 1;
    return Math.log(bytes / before.bytes) / Math.log(bitsPerSecond / before.bitsPerSecond);
  }

  /** Returns the closest attempts below and above the maximum. */
  #bounds(): { readonly below: Attempt | undefined; readonly above: Attempt | undefined } {
    const byBitrate = this.#attempts.toSorted((a, b) => a.bitsPerSecond - b.bitsPerSecond);
    return {
      below: byBitrate.findLast(({ bytes }) => bytes <= this.#maxBytes),
      above: byBitrate.find(({ bytes }) => bytes > this.#maxBytes),
    };
  }
}

function limitChange(factor: number): number {
  return Math.min(maxChange, Math.max(1 / maxChange, factor));
}
