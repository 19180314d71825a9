/** The qualities that can be requested by name. */
export const variants = ['144p', '240p', '360p', '480p', '720p', '1080p'] as const;

/** How far a shorter side may be from a variant's and still be called by it: videos of odd shapes have 478 or 1054. */
const TOLERANCE = 0.06;

/** Whether a video with this label is the requested quality. */
export function matchesVariant(label: string, format: string): boolean {
  if (label === format) return true;
  const [side, requested] = [label, format].map((text) => Number(/^(\d{1,5})p$/.exec(text)?.[1]));
  return side !== undefined && requested !== undefined && Math.abs(side - requested) <= requested * TOLERANCE;
}
