/** The qualities that may be asked for by name. */
export const rungs = ['144p', '240p', '360p', '480p', '720p', '1080p'] as const;

/** How far a shorter side may be from a rung's and still be called by it: videos of odd shapes have 478 or 1054. */
const TOLERANCE = 0.06;

/** Whether a video with this label is the quality that was asked for. */
export function matchesRung(label: string, format: string): boolean {
  if (label === format) return true;
  const [side, wanted] = [label, format].map((text) => Number(/^(\d{1,5})p$/.exec(text)?.[1]));
  return side !== undefined && wanted !== undefined && Math.abs(side - wanted) <= wanted * TOLERANCE;
}
