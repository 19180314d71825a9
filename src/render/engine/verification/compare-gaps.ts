import { type Gap, maxGaps } from '../timing/longest-gaps.ts';

/** A stream's longest gaps, and its start on the same clock. */
interface StreamGaps {
  readonly first: number;
  readonly gaps: readonly Gap[];
}

/** A gap in a result that its source does not have. */
interface NewGap {
  readonly seconds: number;
  /** Seconds from the beginning of the result's stream. */
  readonly at: number;
  /** Duration of the source's longest gap there in seconds; 0 if it has none. */
  readonly sourceSeconds: number;
}

/**
 * Finds the first gap of a result that its source does not have at the same position.
 *
 * @param slack - tolerance for positions and lengths, in seconds.
 */
export function findNewGap(source: StreamGaps, result: StreamGaps, slack: number): NewGap | undefined {
  // Unlisted gaps of the source may be anywhere.
  const maxUnlistedSeconds = source.gaps.length < maxGaps ? 0 : (source.gaps.at(-1)?.seconds ?? 0);
  const sourceGaps = source.gaps.map(({ seconds, at }) => ({ seconds, at: at - source.first }));
  for (const gap of result.gaps) {
    const { seconds } = gap;
    if (seconds <= maxUnlistedSeconds + slack) return undefined;
    const at = gap.at - result.first;
    const containingGaps = sourceGaps.filter((one) => {
      return at >= one.at - slack && at + seconds <= one.at + one.seconds + slack;
    });
    if (containingGaps.some((one) => seconds <= one.seconds + slack)) continue;
    const overlappingGaps = sourceGaps.filter((one) => one.at < at + seconds && one.at + one.seconds > at);
    return { seconds, at, sourceSeconds: Math.max(maxUnlistedSeconds, ...overlappingGaps.map((one) => one.seconds)) };
  }
  return undefined;
}
