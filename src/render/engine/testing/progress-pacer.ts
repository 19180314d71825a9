import type { Pacer } from '../mp4/write-layout.ts';

/** A pace that asks for progress whenever it can be told, and notes it. */
export function recordingPacer() {
  const fractions: number[] = [];
  const pacer: Pacer = { due: true, reportAndYield: async (fraction) => void fractions.push(fraction) };
  return { pacer, fractions };
}

/** A pace that never asks. */
export const idlePacer: Pacer = { due: false, reportAndYield: async () => undefined };
