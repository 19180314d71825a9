/** The progress of a render at a time. */
export interface Sample {
  /** Milliseconds. */
  readonly at: number;
  /** Percent. */
  readonly progress: number;
}

/** How long the rest will take, and how fast inputs arrive. */
interface Estimate {
  /** Seconds left at the current speed. */
  readonly secondsLeft?: number;
  /** Bytes a second. */
  readonly bytesPerSecond?: number;
}

/** Percent of progress at which all inputs are fetched. */
const FETCHED_AT = 50;
const WINDOW_MS = 15_000;
/** Progress comes in whole percents, so smaller changes say nothing. */
const MIN_MS = 1_500;
const MIN_PERCENT = 3;

/** Adds a sample, and drops those that are too old. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const before = samples.at(-1);
  // A restarted job begins at 0.
  if (before !== undefined && sample.progress < before.progress) return [sample];
  return [...samples.filter(({ at }) => sample.at - at <= WINDOW_MS), sample];
}

/**
 * Estimates the speed of a render by its last seconds; nothing if there are too few samples.
 *
 * @param bytes Size of the inputs, if known.
 */
export function estimate(samples: readonly Sample[], bytes: number | undefined): Estimate {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return {};
  const time = last.at - first.at;
  const progressMade = last.progress - first.progress;
  if (time < MIN_MS || progressMade < MIN_PERCENT) return {};
  const rate = progressMade / (time / 1_000);
  const fetching = bytes !== undefined && last.progress < FETCHED_AT;
  return {
    secondsLeft: (100 - last.progress) / rate,
    ...(fetching ? { bytesPerSecond: (rate / FETCHED_AT) * bytes } : {}),
  };
}
