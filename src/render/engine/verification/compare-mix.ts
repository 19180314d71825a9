import type { PlacedSource } from './compare-streams.ts';

/** Whether a source plays elsewhere in a mix than it should, as a clause. The mix itself does not show where. */
export function mixDifference(name: string, source: PlacedSource): string | undefined {
  const { input, mixed, expected, startSlack, endSlack } = source;
  if (mixed === undefined) return `nothing says when its ${name} plays input ${input + 1}`;
  const begins = Math.abs(mixed.first - expected.first) <= startSlack;
  // The duration of the last packet is a guess.
  const ends = mixed.end >= expected.last - endSlack && mixed.end <= expected.end + endSlack;
  if (begins && ends) return undefined;
  const range = (first: number, end: number) => `from ${first.toFixed(1)} s to ${end.toFixed(1)} s`;
  const should = range(expected.first, expected.end);
  return `its ${name} plays input ${input + 1} ${range(mixed.first, mixed.end)} instead of ${should}`;
}
