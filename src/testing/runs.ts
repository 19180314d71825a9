/**
 * How many cases a property test tries: so many in `npm test`, and `RUNS` times as many in the long form. The first ones
 * are the same.
 */
export function runs(short: number): number {
  return short * Number(process.env.RUNS ?? 1);
}
