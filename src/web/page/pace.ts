/** How far a render was at a time. */
export interface Sample {
  /** Milliseconds. */
  readonly at: number;
  /** Percent. */
  readonly progress: number;
}

/** What can be said of the rest. */
export interface Pace {
  /** Seconds that it will take, if it goes on like this. */
  readonly left?: number;
  /** Bytes a second at which inputs arrive. */
  readonly speed?: number;
}

/** Fetching is the first half of a render that an answer offers. */
const FETCHED_AT = 50;
const WINDOW_MS = 15_000;
/** Whole percents say nothing of shorter or slower moves. */
const LEAST_MS = 1_500;
const LEAST_PERCENT = 3;

/** Adds a sample, and forgets those that are too old to tell how it goes now. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const before = samples.at(-1);
  // A job that was started anew begins at the beginning.
  if (before !== undefined && sample.progress < before.progress) return [sample];
  return [...samples.filter(({ at }) => sample.at - at <= WINDOW_MS), sample];
}

/**
 * Says how fast a render goes by its last seconds; nothing where that would be a guess.
 *
 * @param bytes Size of what is fetched, where it is known.
 */
export function paceOf(samples: readonly Sample[], bytes: number | undefined): Pace {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return {};
  const time = last.at - first.at;
  const moved = last.progress - first.progress;
  if (time < LEAST_MS || moved < LEAST_PERCENT) return {};
  const rate = moved / (time / 1_000);
  const fetching = bytes !== undefined && last.progress < FETCHED_AT;
  return {
    left: (100 - last.progress) / rate,
    ...(fetching ? { speed: (rate / FETCHED_AT) * bytes } : {}),
  };
}
