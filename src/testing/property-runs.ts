/**
 * Returns the number of cases of a property test: `short` in `npm test`, and `RUNS` times as many in the long form,
 * which starts with the same cases.
 */
export function propertyRuns(short: number): number {
  return short * Number(process.env.RUNS ?? 1);
}
