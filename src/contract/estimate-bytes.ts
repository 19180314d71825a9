/**
 * Bytes of a stream of so many bits a second that plays so many seconds; undefined where either is unknown or zero, and
 * where no file can be so large: sites state absurd figures.
 */
export function estimateBytes(bitrate: number | undefined, seconds: number | undefined): number | undefined {
  const bytes = Math.ceil(((bitrate ?? 0) * (seconds ?? 0)) / 8);
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined;
}
