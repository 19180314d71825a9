import type { Pacer } from '../mp4/write-layout.ts';

/** A pacer that asks for progress at every chance, and records it. */
export function recordingPacer() {
  const fractions: number[] = [];
  const pacer: Pacer = { shouldReport: true, reportAndYield: async (fraction) => void fractions.push(fraction) };
  return { pacer, fractions };
}

/** A pacer that never asks for progress. */
export const idlePacer: Pacer = { shouldReport: false, reportAndYield: async () => undefined };
