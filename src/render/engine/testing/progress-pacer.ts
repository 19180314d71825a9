import type { Breath } from '../mp4/write-layout.ts';

/** A pace that asks for progress whenever it can be told, and notes it. */
export function notedPace() {
  const fractions: number[] = [];
  const pace: Breath = { due: true, breathe: async (fraction) => void fractions.push(fraction) };
  return { pace, fractions };
}

/** A pace that never asks. */
export const quietPace: Breath = { due: false, breathe: async () => undefined };
