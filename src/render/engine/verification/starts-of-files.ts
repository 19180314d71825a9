import type { SourceStats } from '../tasks/report.ts';
import { sharedClockSeconds } from '../timing/stream-stats.ts';

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

/**
 * Returns when each file begins if inputs share a clock: files whose times have an origin begin with the earliest of
 * them. Returns undefined if none share one, or if they begin so far apart that they cannot.
 */
export function sharedStartsOfFiles(sources: readonly SourceStats[]): Map<number, number> | undefined {
  const starts = startsOfFiles(sources);
  const filesWithOrigin = new Set(sources.filter(({ hasOrigin }) => hasOrigin === true).map(({ file }) => file));
  const shared = [...starts].filter(([file]) => filesWithOrigin.has(file));
  const times = shared.map(([, start]) => start);
  const earliest = Math.min(...times);
  const apart = Math.max(...times) - earliest;
  if (!(apart > 0 && apart < sharedClockSeconds)) return undefined;
  return new Map([...starts].map(([file, start]) => [file, filesWithOrigin.has(file) ? earliest : start]));
}
