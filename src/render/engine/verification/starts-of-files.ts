import type { SourceStats } from '../tasks/report.ts';

/** Returns when each file begins: with the earliest file of its input. Files without packets are left out. */
export function startsOfFiles(sources: readonly SourceStats[]): Map<number, number> {
  const starts = new Map<number, number>();
  for (const { input, stats } of sources) {
    if (stats !== undefined) starts.set(input, Math.min(stats.first, starts.get(input) ?? stats.first));
  }
  return new Map(
    sources.flatMap(({ file, input, stats }) => {
      const start = starts.get(input);
      return stats === undefined || start === undefined ? [] : [[file, start]];
    }),
  );
}
