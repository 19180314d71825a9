/**
 * Returns a value as a percentage that can be stored: an integer from 0 to 100. NaN, which says nothing about the
 * progress, becomes 0. PostgreSQL refuses NaN as an integer, and with it all that the same statement would write.
 */
export function toPercent(value: number): number {
  return Math.floor(Math.min(Math.max(value, 0), 100)) || 0;
}
