/** Start times of the cues of a subtitle stream, in seconds on the clock of their file. */
export interface CueStats {
  readonly count: number;
  readonly first: number;
  readonly last: number;
  /** Mean of all start times, which also reveals a shift in the middle. */
  readonly mean: number;
}

/** Collects {@link CueStats}. */
export class CueCounter {
  #count = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #sum = 0;

  /** Adds a cue that begins at `start` seconds. */
  add(start: number): void {
    this.#count += 1;
    this.#sum += start;
    if (start < this.#first) this.#first = start;
    if (start > this.#last) this.#last = start;
  }

  /** Returns the statistics; undefined without cues. */
  stats(): CueStats | undefined {
    if (this.#count === 0) return undefined;
    return { count: this.#count, first: this.#first, last: this.#last, mean: this.#sum / this.#count };
  }
}

/** Merges the cue statistics of several parts. */
export function mergeCueStats(parts: readonly (CueStats | undefined)[]): CueStats | undefined {
  const nonEmpty = parts.filter((part) => part !== undefined);
  if (nonEmpty.length === 0) return undefined;
  const count = nonEmpty.reduce((sum, part) => sum + part.count, 0);
  return {
    count,
    first: Math.min(...nonEmpty.map(({ first }) => first)),
    last: Math.max(...nonEmpty.map(({ last }) => last)),
    mean: nonEmpty.reduce((sum, part) => sum + part.mean * part.count, 0) / count,
  };
}
