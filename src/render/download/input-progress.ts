/** How much of one input has arrived. */
export interface InputProgress {
  /** 0 to 1. */
  readonly fraction: number;
  /** Size in bytes, if known. */
  readonly bytes?: number;
}

/**
 * Returns the fraction of a whole that has arrived, 0 to 1. Both have the same unit. It stays 0 if the whole is 0, as
 * the duration of a playlist whose segments declare none.
 */
export function fractionOf(arrived: number, whole: number): number {
  return whole > 0 ? Math.min(arrived / whole, 1) : 0;
}

/**
 * Returns the fraction of all inputs that has arrived, 0 to 1. Each input is weighted by its size; an input of unknown
 * size counts as average.
 */
export function overallProgress(inputs: readonly InputProgress[]): number {
  const sizes = inputs.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes]));
  const average = sizes.length === 0 ? 1 : sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const weights = inputs.map(({ bytes = average }) => bytes);
  const arrivedBytes = inputs.reduce((sum, { fraction }, index) => sum + fraction * (weights[index] ?? 0), 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return arrivedBytes / Math.max(1, total);
}
