/** How much of the past counts. */
const WINDOW_MS = 6_000;

/** Tells how fast something goes. */
export interface Speed {
  /**
   * Takes how much there is now; returns units a second over the last seconds, undefined as long as there is too little
   * to tell.
   */
  measure(amount: number): number | undefined;
}

/** Opens a measure of speed over the last six seconds. */
export function openSpeed(now: () => number = () => performance.now()): Speed {
  let samples: { readonly at: number; readonly amount: number }[] = [];
  return {
    measure(amount) {
      const at = now();
      const last = samples.at(-1);
      // What begins anew has no past.
      if (last !== undefined && amount < last.amount) samples = [];
      samples.push({ at, amount });
      samples = samples.filter((sample) => at - sample.at <= WINDOW_MS);
      const [first] = samples;
      if (first === undefined || at - first.at < 500 || amount <= first.amount) return undefined;
      return ((amount - first.amount) * 1000) / (at - first.at);
    },
  };
}
