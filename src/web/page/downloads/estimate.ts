/** The progress of a render at a time. */
export interface Sample {
  /** Time of the sample, in milliseconds. */
  readonly at: number;
  /** Progress in percent. */
  readonly progress: number;
}

/** The remaining time of a render, and the speed at which its inputs arrive. */
interface Estimate {
  /** Seconds left at the current speed. */
  readonly secondsLeft?: number;
  /** Bytes a second. */
  readonly bytesPerSecond?: number;
}

/** Percent of progress at which all inputs are fetched. */
const FETCHED_AT = 50;
const WINDOW_MS = 15_000;
/** Progress is reported in whole percents, so shorter intervals are not meaningful. */
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
 * Estimates the speed and remaining time of a render from its last seconds. Returns an empty object if there are too
 * few samples.
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
