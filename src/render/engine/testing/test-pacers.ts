import type { Pacer } from '../mp4/write-layout.ts';

/** Creates a pacer that requests progress at every opportunity, and records it. */
export function recordingPacer() {
  const fractions: number[] = [];
  const pacer: Pacer = { shouldReport: true, reportAndYield: async (fraction) => void fractions.push(fraction) };
  return { pacer, fractions };
}

/** A pacer that never requests progress. */
export const idlePacer: Pacer = { shouldReport: false, reportAndYield: async () => undefined };
