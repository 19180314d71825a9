/**
 * Estimates the bytes of a stream from its bits per second and its duration in seconds. Undefined if either is unknown or
 * zero, or if no file can be so large: sites report absurd values.
 */
export function estimateBytes(bitrate: number | undefined, seconds: number | undefined): number | undefined {
  const bytes = Math.ceil(((bitrate ?? 0) * (seconds ?? 0)) / 8);
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined;
}
