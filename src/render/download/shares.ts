/** How much of one input has arrived. */
export interface InputShare {
  /** 0 to 1. */
  readonly fraction: number;
  /** Its size in bytes, where known. */
  readonly bytes?: number;
}

/** The part of all inputs together that has arrived: each counts by its size, one of unknown size as the others do. */
export function overall(shares: readonly InputShare[]): number {
  const sizes = shares.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes]));
  const typical = sizes.length === 0 ? 1 : sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const weights = shares.map(({ bytes = typical }) => bytes);
  const arrived = shares.reduce((sum, { fraction }, index) => sum + fraction * (weights[index] ?? 0), 0);
  return (
    arrived /
    Math.max(
      1,
      weights.reduce((sum, weight) => sum + weight, 0),
    )
  );
}
