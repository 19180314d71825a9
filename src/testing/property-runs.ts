/** A third of the cases finds most mistakes. CI runs all of them. */
const factor = Number(process.env.RUNS ?? (process.env.CI === undefined ? 1 / 3 : 1));

/**
 * Returns the number of cases of a property test: a third of `whole` in `npm test`, all of them in CI, and `RUNS` times
 * as many in the long form. All of them start with the same cases.
 */
export function propertyRuns(whole: number): number {
  return Math.ceil(whole * factor);
}
