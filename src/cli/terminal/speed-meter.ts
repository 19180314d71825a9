/** The window of the average. */
const WINDOW_MS = 6_000;

/** Measures speed. */
interface SpeedMeter {
  /**
   * Records the current amount, and returns the speed over the last seconds in units per second; undefined if there are
   * too few samples.
   */
  measure(amount: number): number | undefined;
}

/** Creates a meter of the average speed over the last six seconds. */
export function createSpeedMeter(now: () => number = () => performance.now()): SpeedMeter {
  let samples: { readonly at: number; readonly amount: number }[] = [];
  return {
    measure(amount) {
      const at = now();
      const last = samples.at(-1);
      // A restart drops the samples.
      if (last !== undefined && amount < last.amount) samples = [];
      samples.push({ at, amount });
      samples = samples.filter((sample) => at - sample.at <= WINDOW_MS);
      const [first] = samples;
      if (first === undefined || at - first.at < 500 || amount <= first.amount) return undefined;
      return ((amount - first.amount) * 1000) / (at - first.at);
    },
  };
}
